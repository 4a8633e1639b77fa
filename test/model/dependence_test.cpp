#include "model/dependence.hpp"

#include <gtest/gtest.h>

namespace inspect {
namespace {

Operation operation(inspect_kind kind, std::uint64_t object, std::uint32_t size = 4, unsigned flags = 0) {
  Operation o{};
  o.kind = static_cast<std::uint8_t>(kind);
  o.object = object;
  o.size = size;
  o.flags = static_cast<std::uint8_t>(flags);
  return o;
}

void expect(bool expected, const Operation& a, const Operation& b) {
  EXPECT_EQ(dependent({a}, {b}), expected) << inspect_kind_name(a.kind) << ' ' << inspect_kind_name(b.kind);
  EXPECT_EQ(dependent({b}, {a}), expected) << inspect_kind_name(b.kind) << ' ' << inspect_kind_name(a.kind);
}

TEST(Dependence, OverlappingRangesWithAWrite) {
  expect(true, operation(INSPECT_OP_AtomicStore, 100, 8), operation(INSPECT_OP_AtomicLoad, 104));
  expect(false, operation(INSPECT_OP_AtomicStore, 100, 4), operation(INSPECT_OP_AtomicLoad, 104));
  expect(false, operation(INSPECT_OP_AtomicLoad, 100), operation(INSPECT_OP_AtomicLoad, 100));
  expect(true, operation(INSPECT_OP_Free, 100, 64), operation(INSPECT_OP_PlainRead, 160));
}

TEST(Dependence, AFailedAttemptReads) {
  const Operation failed = operation(INSPECT_OP_MutexTryLock, 100, 40, INSPECT_FLAG_FAILED);
  expect(false, failed, failed);
  expect(true, failed, operation(INSPECT_OP_MutexUnlock, 100, 40));
}

TEST(Dependence, AWriterThatFailsHasCountedTheReaders) {
  const Operation failed = operation(INSPECT_OP_WriteTryLock, 100, 56, INSPECT_FLAG_FAILED);
  expect(true, failed, operation(INSPECT_OP_ReadUnlock, 100, 56));
  expect(true, failed, operation(INSPECT_OP_ReadLock, 100, 56));
  expect(false, failed, failed);
  expect(false, operation(INSPECT_OP_ReadLock, 100, 56), operation(INSPECT_OP_ReadUnlock, 100, 56));
}

TEST(Dependence, SemaphorePostsCommuteAndNothingElseDoes) {
  const Operation post = operation(INSPECT_OP_SemPost, 100, 32), wait = operation(INSPECT_OP_SemWait, 100, 32);
  expect(false, post, post);
  expect(true, post, wait);
  expect(true, wait, wait);
  expect(true, operation(INSPECT_OP_SemTryWait, 100, 32, INSPECT_FLAG_FAILED), operation(INSPECT_OP_SemGetValue, 100, 32));
}

TEST(Dependence, TheMutexOfAWait) {
  Operation wait = operation(INSPECT_OP_CondWait, 100, 48);
  wait.object2 = 200;
  wait.size2 = 40;
  expect(true, wait, operation(INSPECT_OP_MutexLock, 200, 40));
  expect(true, wait, operation(INSPECT_OP_CondSignal, 100, 48));
  expect(false, wait, operation(INSPECT_OP_MutexLock, 300, 40));
}

TEST(Dependence, AtomicSectionsRangeByRange) {
  const Operation section = operation(INSPECT_OP_AtomicSection, 0, 0);
  const Operation ranges[] = {operation(INSPECT_OP_AtomicLoad, 100), operation(INSPECT_OP_PlainWrite, 200)};
  const Operation load = operation(INSPECT_OP_AtomicLoad, 100), other = operation(INSPECT_OP_AtomicLoad, 200);
  const Label known{section, ranges, true}, unknown{section}, empty{section, {}, true};
  EXPECT_FALSE(dependent(known, {load}));
  EXPECT_TRUE(dependent(known, {other}));
  EXPECT_TRUE(dependent({other}, known));
  EXPECT_TRUE(dependent(known, known));
  EXPECT_TRUE(dependent(unknown, {load}));
  EXPECT_TRUE(dependent(empty, unknown));
  EXPECT_FALSE(dependent(empty, known));
}

TEST(Dependence, TheEndOfTheProcessDependsOnEverything) {
  expect(true, operation(INSPECT_OP_ProcessEnd, INSPECT_PROCESS_OBJECT, 8), operation(INSPECT_OP_Choice, 0, 0));
}

}  // namespace
}  // namespace inspect
