// Races between plain accesses, threads, locks and ends of life.
#include "runtime/memory/race.hpp"

#include <gtest/gtest.h>

#include "runtime/memory/race_state.hpp"
#include "stub.hpp"

namespace inspect::runtime {
namespace {

using test::begin;

constexpr std::uintptr_t kHeap = kArenaBase + 0x1000, kStack = kStackBase + 3 * kStackSlot - 0x1000, kImage = 0x555555558000,
                         kLibrary = 0x7ffff7d00000, kFixedImage = 0x404000;
constexpr std::uint64_t kMutex = 0x601000;

bool reads(unsigned t, std::uintptr_t a, std::size_t n = 4, std::uint32_t site = 1) {
  return race_access(std::uint8_t(t), a, n, false, site);
}
bool writes(unsigned t, std::uintptr_t a, std::size_t n = 4, std::uint32_t site = 1) {
  return race_access(std::uint8_t(t), a, n, true, site);
}

void begin_with_threads(unsigned n) {
  begin();
  for (unsigned t = 1; t < n; ++t) race_thread_created(0, std::uint8_t(t));
}

class Places : public testing::TestWithParam<std::uintptr_t> {};
INSTANTIATE_TEST_SUITE_P(Race, Places,
                         testing::Values(kHeap, kStack, kImage, kLibrary, kFixedImage, 0x10000000000, 0x7fffffffe000));

TEST_P(Places, UnorderedWriteAndRead) {
  begin_with_threads(3);
  EXPECT_TRUE(writes(1, GetParam(), 4, 11));
  EXPECT_FALSE(reads(2, GetParam(), 4, 22));
  const RaceReport& r = race_report();
  EXPECT_EQ(r.address, GetParam());
  EXPECT_EQ(r.size, 4u);
  EXPECT_EQ(r.thread, 2);
  EXPECT_EQ(r.other_thread, 1);
  EXPECT_EQ(r.site, 22u);
  EXPECT_EQ(r.other_site, 11u);
  EXPECT_FALSE(r.write);
  EXPECT_TRUE(r.other_write);
  EXPECT_FALSE(r.atomic || r.other_atomic || r.with_free);
}

TEST_P(Places, ReadsDoNotRaceButEachIsRemembered) {
  for (unsigned unordered = 1; unordered < 5; ++unordered) {
    begin_with_threads(6);
    for (unsigned t = 1; t < 5; ++t) EXPECT_TRUE(reads(t, GetParam(), 8, 10 * t));
    for (unsigned t = 1; t < 5; ++t)
      if (t != unordered) race_release(std::uint8_t(t), kMutex);
    race_acquire(5, kMutex);
    EXPECT_FALSE(writes(5, GetParam() + 4, 4));
    EXPECT_EQ(race_report().other_thread, unordered);
    EXPECT_EQ(race_report().other_site, 10 * unordered);
    EXPECT_EQ(race_report().address, GetParam() + 4);
  }
}

// Where a race does not end the execution, each further one is reported all the same.
TEST_P(Places, ARacePassesWhereTheExecutionGoesOn) {
  begin_with_threads(4);
  test::races_pass() = true;
  EXPECT_TRUE(writes(1, GetParam(), 8, 11));
  EXPECT_TRUE(writes(2, GetParam() + 4, 4, 22));
  EXPECT_EQ(race_report().other_site, 11u);
  EXPECT_TRUE(reads(3, GetParam(), 4, 33));
  EXPECT_EQ(race_report().site, 33u);
  EXPECT_EQ(race_report().address, GetParam());
  EXPECT_TRUE(reads(3, GetParam() + 4, 4, 44));
  EXPECT_EQ(race_report().site, 44u);
  EXPECT_FALSE(race_access_strict(2, GetParam(), 4, true, 55));
  test::races_pass() = false;
  EXPECT_FALSE(writes(3, GetParam() + 4, 4, 66));
}

TEST_P(Places, NeighbouringBytesDoNotRace) {
  begin_with_threads(9);
  for (unsigned t = 1; t < 9; ++t) EXPECT_TRUE(writes(t, GetParam() + t - 1, 1));
  for (unsigned t = 1; t < 9; ++t) EXPECT_TRUE(reads(t, GetParam() + t - 1, 1));
  for (unsigned t = 1; t < 9; ++t) EXPECT_TRUE(writes(t, GetParam() + t - 1, 1));
  EXPECT_FALSE(reads(1, GetParam() + 5, 1));
  EXPECT_EQ(race_report().address, GetParam() + 5);
  EXPECT_EQ(race_report().other_thread, 6);
}

TEST_P(Places, MixedSizesOverlap) {
  for (unsigned at = 0; at < 16; ++at)
    for (const unsigned n : {1u, 2u, 4u, 8u, 16u})
      for (unsigned probe = 0; probe < 32; ++probe)
        for (const unsigned m : {1u, 3u, 4u, 8u}) {
          begin_with_threads(3);
          ASSERT_TRUE(writes(1, GetParam() + at, n));
          const bool overlap = probe < at + n && at < probe + m;
          ASSERT_EQ(writes(2, GetParam() + probe, m), !overlap) << at << " " << n << " " << probe << " " << m;
          if (overlap) {
            ASSERT_EQ(race_report().address, GetParam() + std::max(at, probe));
          }
        }
}

TEST(Race, OrderedByCreateAndJoin) {
  begin();
  EXPECT_TRUE(writes(0, kHeap));
  race_thread_created(0, 1);
  EXPECT_TRUE(writes(1, kHeap));
  race_thread_created(1, 2);
  EXPECT_TRUE(writes(2, kHeap));
  race_thread_ended(2);
  race_thread_joined(1, 2);
  EXPECT_TRUE(writes(1, kHeap));
  race_thread_ended(1);
  race_thread_joined(0, 1);
  EXPECT_TRUE(writes(0, kHeap));
}

TEST(Race, WritesAfterCreateAreNotOrdered) {
  begin();
  race_thread_created(0, 1);
  EXPECT_TRUE(writes(0, kHeap));
  EXPECT_FALSE(writes(1, kHeap));
}

TEST(Race, EndWithoutJoinIsNoEdge) {
  begin_with_threads(2);
  EXPECT_TRUE(writes(1, kHeap));
  race_thread_ended(1);
  EXPECT_FALSE(reads(0, kHeap));
}

TEST(Race, WhatMainDidAloneIsBeforeEverything) {
  begin();
  EXPECT_TRUE(writes(0, kHeap));
  race_thread_created(0, 1);
  EXPECT_TRUE(writes(1, kHeap));
  race_thread_joined(0, 1);
  EXPECT_TRUE(writes(0, kHeap));  // alone again
  race_thread_created(0, 2);
  race_thread_created(0, 3);
  EXPECT_TRUE(writes(2, kHeap));
  EXPECT_FALSE(writes(3, kHeap));
}

TEST(Race, AloneMeansThatAllOthersWereJoined) {
  begin_with_threads(3);
  EXPECT_TRUE(writes(2, kHeap));
  race_thread_ended(1);
  race_thread_joined(0, 1);
  race_thread_ended(2);
  EXPECT_FALSE(writes(0, kHeap));
}

// SEMANTICS C.4: int x; create(..., &x); x++ against (*p)++.
TEST(Race, OwnStackIsRecordedToo) {
  begin();
  race_thread_created(0, 1);
  EXPECT_TRUE(reads(0, kStack));
  EXPECT_TRUE(writes(0, kStack));
  EXPECT_FALSE(reads(1, kStack));
}

TEST(Race, MutexOrders) {
  begin_with_threads(3);
  for (int round = 0; round < 3; ++round)
    for (unsigned t = 0; t < 3; ++t) {
      race_acquire(std::uint8_t(t), kMutex);
      EXPECT_TRUE(reads(t, kHeap));
      EXPECT_TRUE(writes(t, kHeap));
      race_release(std::uint8_t(t), kMutex);
    }
  race_acquire(1, kMutex + 64);
  EXPECT_FALSE(reads(1, kHeap));
}

TEST(Race, AccessAfterTheReleaseIsNotCovered) {
  begin_with_threads(3);
  EXPECT_TRUE(writes(1, kHeap));
  race_release(1, kMutex);
  EXPECT_TRUE(writes(1, kHeap));
  race_acquire(2, kMutex);
  EXPECT_FALSE(writes(2, kHeap));
}

TEST(Race, ReadersOfARwLock) {
  begin_with_threads(4);
  race_acquire_shared(1, kMutex);
  EXPECT_TRUE(writes(1, kHeap));
  race_release_shared(1, kMutex);
  race_acquire(2, kMutex);  // a writer is after the reader
  EXPECT_TRUE(writes(2, kHeap));
  race_release(2, kMutex);
  race_acquire_shared(3, kMutex);  // a reader after the writer
  EXPECT_TRUE(writes(3, kHeap));
  race_release_shared(3, kMutex);
  race_acquire_shared(1, kMutex);  // but not after the other reader
  EXPECT_FALSE(writes(1, kHeap));
  EXPECT_EQ(race_report().other_thread, 3);
}

TEST(Race, ReleasesAccumulate) {
  begin_with_threads(4);
  EXPECT_TRUE(writes(1, kHeap));
  race_release(1, kMutex);
  EXPECT_TRUE(writes(2, kHeap + 8));
  race_release(2, kMutex);
  race_acquire(3, kMutex);
  EXPECT_TRUE(writes(3, kHeap));
  EXPECT_TRUE(writes(3, kHeap + 8));
}

TEST(Race, HeapFreeAgainstEarlierAccess) {
  begin_with_threads(3);
  EXPECT_TRUE(reads(1, kHeap + 100, 1, 5));
  EXPECT_TRUE(race_free(2, kHeap, 100, 6));
  EXPECT_TRUE(race_free(2, kHeap + 101, 3, 6));
  EXPECT_FALSE(race_free(2, kHeap, 101, 6));
  EXPECT_TRUE(race_report().with_free && !race_report().other_freed);
  EXPECT_TRUE(race_report().write);
  EXPECT_EQ(race_report().site, 6u);
  EXPECT_EQ(race_report().other_site, 5u);
  EXPECT_EQ(race_report().address, kHeap + 100);
}

TEST(Race, HeapFreeAgainstAtomicAccess) {
  begin_with_threads(3);
  EXPECT_TRUE(race_atomic_load(1, kHeap, 8, INSPECT_SEQ_CST, 5));
  EXPECT_FALSE(race_free(2, kHeap, 8, 6));
  EXPECT_TRUE(race_report().with_free && race_report().other_atomic);
}

TEST(Race, OrderedFreeIsFine) {
  begin_with_threads(3);
  EXPECT_TRUE(writes(1, kHeap));
  race_release(1, kMutex);
  race_acquire(2, kMutex);
  EXPECT_TRUE(race_free(2, kHeap, 64, 6));
}

TEST(Race, FreeOfALargeObjectFindsTheOneAccess) {
  begin_with_threads(3);
  constexpr std::size_t size = 64ul << 20;
  EXPECT_TRUE(reads(1, kHeap + size - 3, 1));
  EXPECT_FALSE(race_free(2, kHeap, size, 6));
  EXPECT_EQ(race_report().address, kHeap + size - 3);
}

TEST(Race, AFrameThatReturnedIsFreed) {
  begin_with_threads(3);
  EXPECT_TRUE(writes(2, kStack));
  EXPECT_TRUE(race_stack_end(2, kStack, 4, 9));
  EXPECT_FALSE(reads(1, kStack));
  EXPECT_TRUE(race_report().with_free && race_report().other_freed);
  EXPECT_EQ(race_report().other_site, 9u);
}

TEST(Race, AccessBeforeTheFrameReturnedUnordered) {
  begin_with_threads(3);
  EXPECT_TRUE(writes(1, kStack));
  EXPECT_FALSE(race_stack_end(2, kStack, 4, 9));
  EXPECT_TRUE(race_report().with_free);
}

TEST(Race, AFrameSlotUsedAgainIsNewMemory) {
  begin_with_threads(3);
  EXPECT_TRUE(writes(2, kStack));
  EXPECT_TRUE(race_stack_end(2, kStack, 4, 9));
  EXPECT_TRUE(race_atomic_store(2, kStack, 4, INSPECT_RELAXED, 1));  // another frame's atomic variable
  EXPECT_TRUE(race_atomic_load(1, kStack, 4, INSPECT_RELAXED, 1));
}

TEST(Race, ObjectAccessConflictsWithPlainAccessOnly) {
  begin_with_threads(3);
  EXPECT_TRUE(race_object_access(1, kHeap, 40, true, 1));
  EXPECT_TRUE(race_object_access(2, kHeap, 40, true, 2));
  EXPECT_FALSE(writes(2, kHeap + 36));
  EXPECT_TRUE(race_report().other_atomic);
}

TEST(Race, EarlierExecutionsAreForgotten) {
  begin_with_threads(3);
  EXPECT_TRUE(writes(1, kHeap));
  EXPECT_TRUE(writes(2, kHeap + 1024));
  for (unsigned t = 0; t < 3; ++t) EXPECT_TRUE(reads(t, kHeap + 2048));
  race_release(1, kMutex);
  begin_with_threads(3);
  EXPECT_TRUE(writes(2, kHeap));
  EXPECT_TRUE(writes(1, kHeap + 1024));
  race_acquire(2, kMutex);
  EXPECT_FALSE(writes(1, kHeap));
}

TEST(Race, ClocksStartOverBeforeTheyRunOut) {
  for (ClockValue start : {kFlushAt - 3, kFlushAt - 2, kFlushAt - 1, kFlushAt, kFlushAt + 1}) {
    begin_with_threads(3);
    EXPECT_TRUE(writes(1, kHeap));
    race_state().hot.base = start;
    for (int execution = 0; execution < 4; ++execution) {
      begin_with_threads(3);
      race_release(2, kMutex);
      EXPECT_TRUE(writes(2, kHeap));
      race_release(2, kMutex + 8);
      EXPECT_TRUE(race_atomic_store(2, kHeap + 8, 4, INSPECT_RELEASE, 1));
      race_acquire(1, kMutex);
      EXPECT_FALSE(writes(1, kHeap));
      EXPECT_LT(race_state().hot.base, kFlushAt + 1);
    }
  }
}

TEST(Race, ClocksThatRunOutWithinAnExecutionAreTold) {
  begin_with_threads(2);
  race_state().clocks[1].at[1] = kClockLimit - 1;
  race_release(1, kMutex);
  EXPECT_THROW(race_release(1, kMutex), test::Limit);
  begin();
  EXPECT_LT(race_state().hot.base, kFlushAt);
}

TEST(Race, TooManyRegionsAreTold) {
  begin_with_threads(2);
  const unsigned count = race_state().hot.region_count;
  race_state().hot.region_count = kRegionSlots;
  EXPECT_THROW(writes(1, 0x111000000000), test::Limit);
  race_state().hot.region_count = count;
  begin_with_threads(2);
  EXPECT_TRUE(writes(1, 0x8000000000000000));  // not an address: the access itself faults
  EXPECT_TRUE(race_atomic_store(1, 0x8000000000000000, 4, INSPECT_SEQ_CST, 1));
  EXPECT_TRUE(race_free(1, 0x8000000000000000, 4, 1));
}

TEST(Race, ManyObjectsAndManyThreads) {
  begin();
  for (unsigned t = 1; t < INSPECT_MAX_THREADS; ++t) race_thread_created(0, std::uint8_t(t));
  for (unsigned t = 1; t < INSPECT_MAX_THREADS; ++t) EXPECT_TRUE(reads(t, kHeap + 1, 2));
  for (unsigned t = 1; t < INSPECT_MAX_THREADS; ++t)
    EXPECT_TRUE(race_atomic_load(std::uint8_t(t), kHeap, 4, INSPECT_RELAXED, 1));
  for (unsigned t = 1; t < INSPECT_MAX_THREADS; ++t)
    for (unsigned i = 0; i < 500; ++i) race_release(std::uint8_t(t), kMutex + 40 * (500 * t + i));
  for (unsigned t = 2; t < INSPECT_MAX_THREADS; ++t) race_acquire(0, kMutex + 40 * (500 * t + 499));
  EXPECT_FALSE(writes(0, kHeap + 2, 1));
  EXPECT_EQ(race_report().other_thread, 1);
}

TEST(Race, TooManyObjectsAreTold) {
  begin_with_threads(2);
  const auto release_many = [] {
    for (unsigned i = 0; i < kSyncTable; ++i) race_release(1, kMutex + 40 * i);
  };
  EXPECT_THROW(release_many(), test::Limit);
  begin_with_threads(2);
  race_release(1, kMutex);
}

TEST(Race, TooManyHistoriesAreTold) {
  begin_with_threads(3);
  race_state().history_blocks = std::uint32_t(kHistoriesBytes / 64);
  EXPECT_THROW(race_atomic_load(1, kHeap, 4, INSPECT_SEQ_CST, 1), test::Limit);
}

TEST(Race, RangesWiderThanAWord) {
  begin_with_threads(3);
  EXPECT_TRUE(writes(1, kHeap + 3, 5000));
  EXPECT_TRUE(writes(2, kHeap, 3));
  EXPECT_TRUE(writes(2, kHeap + 5003, 100));
  EXPECT_TRUE(reads(1, kHeap + 3, 5000));
  EXPECT_FALSE(reads(2, kHeap + 5002, 1));
}

TEST(Race, LargeSiteNumbersSurvive) {
  begin_with_threads(3);
  EXPECT_TRUE(writes(1, kHeap, 4, 0x80123456));
  EXPECT_FALSE(writes(2, kHeap, 4, 0xFFFFFFFF));
  EXPECT_EQ(race_report().site, 0xFFFFFFFF);
  EXPECT_EQ(race_report().other_site, 0x80123456);
}

}  // namespace
}  // namespace inspect::runtime
