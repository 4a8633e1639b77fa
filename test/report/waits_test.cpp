#include "report/waits.hpp"

#include <gtest/gtest.h>

#include "executions.hpp"

namespace inspect::report {
namespace {

TEST(Waits, NamesWhoWaitsForWhatHeldByWhom) {
  const std::vector<std::string> expected{"thread 0 waits for mutex b at bank.c:20, held by thread 0.0 since bank.c:11",
                                          "thread 0.0 waits for mutex a at bank.c:21, held by thread 0 since bank.c:10"};
  EXPECT_EQ(waits_of(deadlock(), TableNames()), expected);
}

TEST(Waits, AReleasedLockIsHeldByNobody) {
  auto events = deadlock();
  events.push_back(event(1, operation(INSPECT_OP_MutexUnlock, kB, 12), operation(INSPECT_OP_MutexLock, kA, 21), {0}));
  EXPECT_EQ(waits_of(events, TableNames()),
            std::vector<std::string>{"thread 0.0 waits for mutex a at bank.c:21, held by thread 0 since bank.c:10"});
}

TEST(Waits, AThreadInAWaitWaitsForTheConditionVariable) {
  auto wait = operation(INSPECT_OP_CondWait, kX, 5);
  wait.object2 = kA;
  const std::vector<Event> events{event(0, operation(INSPECT_OP_MutexLock, kA, 4), wait, {0}),
                                  event(0, wait, operation(INSPECT_OP_CondWake, kA, 5), {})};
  EXPECT_EQ(waits_of(events, TableNames()), std::vector<std::string>{"thread 0 waits for condition variable x at bank.c:5"});
}

TEST(Waits, AWaitThatTimedOutHoldsItsMutexOnceAndGivesItBack) {
  auto wait = operation(INSPECT_OP_CondWait, kX, 5);
  wait.object2 = kA;
  wait.flags |= INSPECT_FLAG_FAILED;
  const auto wake = operation(INSPECT_OP_CondWake, kA, 5), unlock = operation(INSPECT_OP_MutexUnlock, kA, 6);
  const auto stuck = operation(INSPECT_OP_SemWait, kX, 7), other = operation(INSPECT_OP_MutexLock, kA, 20);
  const std::vector<Event> events{event(0, operation(INSPECT_OP_MutexLock, kA, 4), wait, {0}), event(0, wait, wake, {0}),
                                  event(0, wake, unlock, {0}), event(0, unlock, stuck, {1}),
                                  event(1, operation(INSPECT_OP_ThreadStart, 0, 19), other, {})};
  EXPECT_EQ(waits_of(events, TableNames()).back(), "thread 0.0 waits for mutex a at bank.c:20");
}

}  // namespace
}  // namespace inspect::report
