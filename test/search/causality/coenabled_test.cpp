#include "search/causality/coenabled.hpp"

#include <gtest/gtest.h>

namespace inspect::search {
namespace {

constexpr std::uint64_t kM = 0x100, kOther = 0x200;

Operation operation(inspect_kind kind, std::uint64_t object = kM, unsigned flags = 0) {
  Operation o{};
  o.kind = static_cast<std::uint8_t>(kind);
  o.flags = static_cast<std::uint8_t>(flags);
  o.object = object;
  o.size = 8;
  return o;
}

void expect(bool expected, const Operation& a, const Operation& b, Lockset locks_a = 0, Lockset locks_b = 0) {
  EXPECT_EQ(may_be_coenabled(a, locks_a, b, locks_b), expected)
      << inspect_kind_name(a.kind) << ' ' << inspect_kind_name(b.kind);
  EXPECT_EQ(may_be_coenabled(b, locks_b, a, locks_a), expected)
      << inspect_kind_name(b.kind) << ' ' << inspect_kind_name(a.kind);
}

// Who unlocks holds the mutex, who locks finds it free.
TEST(Coenabled, AnUnlockAndALockAreNot) {
  const Operation unlock = operation(INSPECT_OP_MutexUnlock);
  expect(false, unlock, operation(INSPECT_OP_MutexLock));
  expect(true, unlock, operation(INSPECT_OP_MutexLock, kOther));
  expect(true, unlock, operation(INSPECT_OP_MutexTryLock));  // an attempt does not wait
  expect(true, operation(INSPECT_OP_MutexLock), operation(INSPECT_OP_MutexLock));
}

// One that fails may be by a thread that does not hold the mutex.
TEST(Coenabled, ARefusedUnlockMayMeetALock) {
  expect(true, operation(INSPECT_OP_MutexUnlock, kM, INSPECT_FLAG_FAILED), operation(INSPECT_OP_MutexLock));
}

TEST(Coenabled, ReadersShareALock) {
  const Operation read_unlock = operation(INSPECT_OP_ReadUnlock);
  expect(true, read_unlock, operation(INSPECT_OP_ReadLock));
  expect(false, read_unlock, operation(INSPECT_OP_WriteLock));
  expect(false, operation(INSPECT_OP_WriteUnlock), operation(INSPECT_OP_ReadLock));
  expect(false, operation(INSPECT_OP_WriteUnlock), operation(INSPECT_OP_WriteLock));
}

// A wait gives back its mutex, the second object: who waits holds it.
TEST(Coenabled, AWaitHoldsItsMutex) {
  Operation wait = operation(INSPECT_OP_CondWait, kOther);
  wait.object2 = kM;
  wait.size2 = 8;
  expect(false, wait, operation(INSPECT_OP_MutexLock, kM));
  expect(true, wait, operation(INSPECT_OP_MutexLock, kOther));
}

// Two threads never both hold the same lock, whatever they do under it.
TEST(Coenabled, OneLockHeldByBothExcludes) {
  const Operation store = operation(INSPECT_OP_AtomicStore), load = operation(INSPECT_OP_AtomicLoad);
  expect(false, store, load, 0b01, 0b11);
  expect(true, store, load, 0b01, 0b10);
  expect(true, store, load, 0, 0b11);
}

TEST(Coenabled, AThreadIsCreatedThenStartsThenEndsThenIsJoined) {
  const Operation create = operation(INSPECT_OP_ThreadCreate), start = operation(INSPECT_OP_ThreadStart),
                  exit = operation(INSPECT_OP_ThreadExit), join = operation(INSPECT_OP_ThreadJoin);
  expect(false, create, start);
  expect(false, create, join);
  expect(false, start, join);
  expect(false, exit, join);
  expect(true, exit, operation(INSPECT_OP_ThreadJoin, kOther));
  expect(true, exit, operation(INSPECT_OP_ThreadTryJoin));  // asks, does not wait
}

TEST(Coenabled, TheProcessEndsWhenNothingElseIsEnabled) {
  expect(false, operation(INSPECT_OP_ProcessEnd), operation(INSPECT_OP_AtomicLoad, kOther));
}

// Only what writes exactly what the load reads tells what was there before.
TEST(Coenabled, AValueIsReplacedByAWriteOfTheSameBytes) {
  const Operation load = operation(INSPECT_OP_AtomicLoad);
  EXPECT_TRUE(replaces_value(operation(INSPECT_OP_AtomicStore), load));
  EXPECT_TRUE(replaces_value(operation(INSPECT_OP_AtomicRmw), load));
  EXPECT_FALSE(replaces_value(operation(INSPECT_OP_AtomicRmw, kM, INSPECT_FLAG_RESULT_UNUSED), load));
  EXPECT_FALSE(replaces_value(operation(INSPECT_OP_AtomicStore, kOther), load));
  EXPECT_FALSE(replaces_value(operation(INSPECT_OP_AtomicLoad), load));
  Operation wide = operation(INSPECT_OP_AtomicStore);
  wide.size = 16;
  EXPECT_FALSE(replaces_value(wide, load));
}

}  // namespace
}  // namespace inspect::search
