#include "report/interleaving.hpp"

#include <gtest/gtest.h>

#include "executions.hpp"

namespace inspect::report {
namespace {

TEST(Interleaving, TheDecisiveSwitchIsTheLastPreemption) {
  const auto o = operation(INSPECT_OP_AtomicLoad, kX, 1);
  const std::vector<Event> events{event(0, o, o, {0, 1}), event(1, o, o, {0}), event(0, o, o, {0})};
  EXPECT_EQ(decisive_switch(events), 1u);  // the switch back was forced
  EXPECT_EQ(decisive_switch(std::span(events).first(1)), std::nullopt);
  const std::vector<Event> forced{event(0, o, o, {1}), event(1, o, o, {})};
  EXPECT_EQ(decisive_switch(forced), std::nullopt);  // no other thread could go on
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
  BugRun run{events, {{0, 0, write_x, 0}, {0, 0, read_b, 5}, {1, 1, write_x, 7}}, {}, {}};
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
