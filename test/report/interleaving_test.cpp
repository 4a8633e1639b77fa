#include "report/interleaving.hpp"

#include <gtest/gtest.h>

#include "executions.hpp"

namespace inspect::report {
namespace {

TEST(Interleaving, TurnsAreSwitchesAtWhichAnotherThreadCouldGoOn) {
  const auto o = operation(INSPECT_OP_AtomicLoad, kX, 1);
  const auto turns = turns_of(std::vector<Event>{event(0, o, o, {0, 1, 2}), event(1, o, o, {0}), event(0, o, o, {0})});
  ASSERT_EQ(turns.size(), 2u);  // the switch back was forced
  EXPECT_EQ(turns[0].event, 1u);
  EXPECT_EQ(turns[0].other, 0u);  // that was left
  EXPECT_EQ(turns[1].other, 2u);
  EXPECT_TRUE(turns_of(std::vector<Event>{event(0, o, o, {1}), event(1, o, o, {})}).empty());
}

TEST(Interleaving, WhatBelongsToAStepComesInTheOrderOfTheRun) {
  const auto events = deadlock();
  const auto write_x = operation(INSPECT_OP_PlainWrite, kX, 30);
  BugRun run{.events = events, .accesses = {{0, 0, write_x, 0}, {0, 0, write_x, 1}}, .objects = {kX}};
  run.accesses[1].at_bug = true;
  run.further = {{.event = 0, .behind = 1, .thread = 0, .action = "frees x"},
                 {.event = 1, .behind = 2, .thread = 1, .action = "waits", .at_bug = true}};
  run.marked = {1};
  const auto result = interleaving_of(run, kDeadlock, TableNames());
  std::vector<std::string> actions, marked;
  for (const auto& line : result.lines) {
    actions.push_back(line.action);
    if (line.at_bug) marked.push_back(line.action);
  }
  EXPECT_EQ(actions, (std::vector<std::string>{"pthread_mutex_lock(a)", "write x = 1", "frees x", "write x",
                                               "pthread_mutex_lock(b)", "waits"}));
  EXPECT_EQ(marked, (std::vector<std::string>{"write x", "pthread_mutex_lock(b)", "waits"}));
}

TEST(Interleaving, StepsAreNamedNotNumbered) {
  auto events = deadlock();
  events.push_back(event(1, operation(INSPECT_OP_CondSignal, kX, 9), {}, {}));
  events.back().choice.alternative = 1;
  const auto steps = steps_of(events, TableNames());
  EXPECT_EQ(format_step(steps[0]), "0 MutexLock a bank.c:10");
  EXPECT_EQ(format_step(steps[1]), "0.0 MutexLock b bank.c:11");
  EXPECT_EQ(format_step(steps[2]), "0.0 CondSignal x bank.c:9 0");
}

TEST(Interleaving, OnlySharedPlainAccessesAreShown) {
  const auto events = deadlock();
  const auto write_x = operation(INSPECT_OP_PlainWrite, kX, 30), read_b = operation(INSPECT_OP_PlainRead, kB, 31);
  BugRun run{.events = events, .accesses = {{0, 0, write_x, 0}, {0, 0, read_b, 5}, {1, 1, write_x, 7}}};
  auto result = interleaving_of(run, kDeadlock, TableNames());
  ASSERT_EQ(result.lines.size(), 4u);
  EXPECT_EQ(result.lines[1].action, "write x = 7");  // what the next access found
  EXPECT_EQ(result.lines[1].step, 0u);
  EXPECT_EQ(result.lines[3].action, "write x");  // nobody looked
  run.objects = {kB};
  result = interleaving_of(run, kDeadlock, TableNames());
  ASSERT_EQ(result.lines.size(), 5u);
  EXPECT_EQ(result.lines[2].action, "read b: 5");
}

}  // namespace
}  // namespace inspect::report
