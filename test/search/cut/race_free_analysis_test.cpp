#include "search/cut/race_free_analysis.hpp"

#include <gtest/gtest.h>

#include <set>

#include "observed.hpp"

namespace inspect::search {
namespace {

constexpr char kNoLock[] = "two accesses that no lock excludes";
#define WORKERS "thread 0: create t1; create t2;"

TEST(RaceFreeAnalysis, OneLockForAll) {
  Observed o(WORKERS "thread 1: lock m0; write x0 1; unlock m0; thread 2: lock m0; write x0 2; unlock m0");
  EXPECT_EQ(o.judge(0), "free");
}

TEST(RaceFreeAnalysis, NoLockOrTwo) {
  EXPECT_EQ(Observed(WORKERS "thread 1: write x0 1; thread 2: write x0 2").judge(0), kNoLock);
  EXPECT_EQ(Observed(WORKERS "thread 1: lock m0; write x0 1; unlock m0; thread 2: lock m1; write x0 2; unlock m1").judge(0),
            kNoLock);
  EXPECT_EQ(Observed(WORKERS "thread 1: write x0 1; thread 2: write x1 2").judge(0), "free");
  EXPECT_EQ(Observed(WORKERS "thread 1: r0 = read x0; thread 2: r0 = read x0").judge(0), "free");
}

TEST(RaceFreeAnalysis, ALockGivenBackProtectsNothing) {
  EXPECT_EQ(Observed(WORKERS "thread 1: lock m0; unlock m0; write x0 1; thread 2: lock m0; write x0 2; unlock m0").judge(0),
            kNoLock);
}

// Two readers go on at the same time; a writer is alone.
TEST(RaceFreeAnalysis, ReadersDoNotExclude) {
  EXPECT_EQ(
      Observed(WORKERS "thread 1: rdlock l0; write x0 1; rwunlock l0; thread 2: rdlock l0; write x0 2; rwunlock l0").judge(0),
      kNoLock);
  EXPECT_EQ(
      Observed(WORKERS "thread 1: rdlock l0; r0 = read x0; rwunlock l0; thread 2: wrlock l0; write x0 2; rwunlock l0").judge(0),
      "free");
}

TEST(RaceFreeAnalysis, CreationAndJoinsOrder) {
  EXPECT_EQ(Observed("thread 0: write x0 1; create t1; join t1; r0 = read x0; thread 1: write x0 2").judge(0), "free");
  EXPECT_EQ(Observed("thread 0: create t1; write x0 1; join t1; thread 1: write x0 2").judge(0), kNoLock);
  EXPECT_EQ(Observed("thread 0: create t1; create t2; join t1; write x0 1; join t2; thread 1: write x1 1; thread 2: write x0 2")
                .judge(0),
            kNoLock);  // the other one was joined
}

// Thread 2 happened to come later: thread 1's unlock comes before its lock. In another execution it does not; but once the lock
// is taken, it has.
TEST(RaceFreeAnalysis, LocksOrderThePastOnly) {
  Observed o(WORKERS "thread 1: write x0 1; lock m0; unlock m0; thread 2: lock m0; unlock m0; write x0 2");
  EXPECT_EQ(o.judge(0), kNoLock);
  EXPECT_EQ(o.judge(o.depth_of(2, INSPECT_OP_MutexLock)), "free");
}

// Thread 1's write is done, thread 2's is to come, and nothing orders them.
TEST(RaceFreeAnalysis, ARaceMayBeOneWithThePast) {
  Observed o(WORKERS "thread 1: write x0 1; thread 2: write x0 2");
  EXPECT_EQ(o.judge(o.depth_of(1, INSPECT_OP_ThreadExit)), kNoLock);
}

// Thread 1 read 0 and did not touch x2. After thread 2's write it would read 1 and race for x2; behind the read it cannot.
TEST(RaceFreeAnalysis, WhatIsReadDecidesWhatIsTouched) {
  Observed o(WORKERS
             "thread 1: lock m0; r0 = read x0; unlock m0; if r0 == 0 goto 5; write x2 1;"
             "thread 2: lock m0; write x0 1; unlock m0; write x2 2");
  EXPECT_NE(o.judge(0), "free");
  EXPECT_EQ(o.judge(o.depth_of(1, INSPECT_OP_MutexLock)), "free");
}

// … and where the other side takes the same lock, nothing is wrong with it.
TEST(RaceFreeAnalysis, TheOtherSideMayBeSafe) {
  Observed o(WORKERS
             "thread 1: lock m0; r0 = read x0; if r0 == 0 goto 4; write x2 1; unlock m0;"
             "thread 2: lock m0; write x0 1; write x2 2; unlock m0");
  EXPECT_EQ(o.judge(0), "free");
}

// An attempt that succeeded may fail elsewhere, and then holds nothing.
TEST(RaceFreeAnalysis, AnAttemptIsNotCertain) {
  Observed o(WORKERS
             "thread 1: r0 = trylock m0; write x0 1; if r0 == 0 goto 4; unlock m0; thread 2: lock m0; write x0 2; unlock m0");
  EXPECT_NE(o.judge(0), "free");
}

// Thread 1 waits for the post with the mutex held, so thread 2's attempt fails, and its write is without a lock.
TEST(RaceFreeAnalysis, AFailedAttemptHoldsNothing) {
  Observed o(WORKERS "thread 1: lock m0; semwait s0; write x0 1; unlock m0; thread 2: r0 = trylock m0; write x0 2; post s0");
  EXPECT_EQ(o.judge(o.depth_of(2, INSPECT_OP_MutexTryLock)), kNoLock);
}

TEST(RaceFreeAnalysis, AThreadThatDidNotEndIsNotKnown) {
  Observed o("main_returns; thread 0: create t1; lock m0; unlock m0; thread 1: lock m0; wait c0 m0; unlock m0");
  EXPECT_EQ(o.judge(0), "a thread that did not run to its end");
}

TEST(RaceFreeAnalysis, FreedMemoryIsWritten) {
  EXPECT_EQ(Observed(WORKERS "thread 1: r0 = read x0; thread 2: free x0").judge(0), kNoLock);
}

// All operations behind the state, and no other: each that leads there may have to come behind one of them.
TEST(RaceFreeAnalysis, WhatIsPossibleIsTold) {
  Observed o(WORKERS "thread 1: lock m0; write x0 1; unlock m0; thread 2: lock m0; write x0 2; unlock m0");
  WalkedCode walked;
  RaceFreeAnalysis analysis(o.code, o.walk.path(), walked);
  ASSERT_TRUE(analysis.check(o.depth_of(1, INSPECT_OP_MutexUnlock)));
  std::set<std::pair<ThreadId, unsigned>> told;
  for (const ThreadOperation& p : analysis.possible()) told.emplace(p.thread, p.operation.kind);
  EXPECT_TRUE(told.contains({2, INSPECT_OP_MutexLock}) && told.contains({2, INSPECT_OP_MutexUnlock}));
  EXPECT_TRUE(told.contains({2, INSPECT_OP_ThreadStart}));
  EXPECT_FALSE(told.contains({1, INSPECT_OP_MutexLock}) || told.contains({1, INSPECT_OP_MutexUnlock}));
}

TEST(Backoff, WearsOutAfterManyTimesInVain) {
  Backoff backoff;
  for (int i = 0; i < 16; ++i) {
    EXPECT_TRUE(backoff.allows()) << i;
    backoff.learn(false);
  }
  EXPECT_FALSE(backoff.allows());  // one of two is let pass, then three of four, …
  EXPECT_TRUE(backoff.allows());
  backoff.learn(false);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(backoff.allows());
  EXPECT_TRUE(backoff.allows());
  backoff.learn(true);
  for (int i = 0; i < 15; ++i) {
    EXPECT_TRUE(backoff.allows());
    backoff.learn(false);
  }
  EXPECT_TRUE(backoff.allows());
}

TEST(Backoff, NeverPausesForMoreThan64) {
  Backoff backoff;
  for (int i = 0; i < 40; ++i) backoff.learn(false);
  int passed = 1;
  while (!backoff.allows()) ++passed;
  EXPECT_EQ(passed, 64);
}

TEST(Locksets, HoldAndGiveBack) {
  Locksets all;
  const auto one = all.with(0, 100, true), both = all.with(one, 50, false);
  EXPECT_EQ(all.with(all.with(0, 50, false), 100, true), both);  // in whichever order
  EXPECT_EQ(all.without(both, 50, 51), one);
  EXPECT_EQ(all.without(both, 0, 1000), 0u);
  EXPECT_EQ(all.without(both, 51, 100), both);
  EXPECT_EQ(all.with(all.with(0, 100, false), 100, true), one);  // exclusive once it was taken so
}

TEST(Locksets, CommonIsWhatIsHeldOnBothWays) {
  Locksets all;
  const auto a = all.with(all.with(0, 100, true), 200, true), b = all.with(all.with(0, 100, false), 300, true);
  EXPECT_EQ(all.common(a, b), all.with(0, 100, false));
  EXPECT_EQ(all.common(a, a), a);
}

TEST(Locksets, OneOfTwoHoldersIsExclusive) {
  Locksets all;
  const auto writer = all.with(0, 100, true), reader = all.with(0, 100, false), other = all.with(0, 200, true);
  EXPECT_TRUE(all.exclude(writer, writer));
  EXPECT_TRUE(all.exclude(writer, reader));
  EXPECT_FALSE(all.exclude(reader, reader));
  EXPECT_FALSE(all.exclude(writer, other));
}

}  // namespace
}  // namespace inspect::search
