#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "report/action.hpp"
#include "report/interleaving.hpp"
#include "report/render.hpp"
#include "report/text.hpp"
#include "report/waits.hpp"

namespace inspect::report {
namespace {

enum : std::uint64_t { kA = 0x10000, kB = 0x20000, kX = 0x30000 };

// Sites are their line numbers; objects have fixed names.
class TableNames : public Names {
 public:
  Site site(std::uint32_t number) const override {
    Site site;
    if (number) site = {"bank.c", "f", "p->x", number, 3};
    return site;
  }
  std::string thread(ThreadId number) const override { return number == 0 ? "0" : "0." + std::to_string(number - 1); }
  std::string object(std::uint64_t address) const override {
    return address == kA ? "a" : address == kB ? "b" : address == kX ? "x" : "";
  }
};

Operation operation(inspect_kind kind, std::uint64_t object, std::uint32_t line, std::uint8_t flags = 0) {
  Operation o{};
  o.kind = kind;
  o.object = object;
  o.size = 4;
  o.site = line;
  o.flags = flags;
  return o;
}

Event event(ThreadId thread, Operation o, Operation next, std::initializer_list<unsigned> enabled) {
  Event e;
  e.choice = {thread, 0};
  e.operation = o;
  e.next.operation = next;
  for (const unsigned t : enabled) e.enabled.insert(t);
  return e;
}

// Two threads lock a and b in opposite orders and are stuck.
std::vector<Event> deadlock() {
  const auto lock_a = operation(INSPECT_OP_MutexLock, kA, 10), lock_b = operation(INSPECT_OP_MutexLock, kB, 11);
  const auto then_b = operation(INSPECT_OP_MutexLock, kB, 20), then_a = operation(INSPECT_OP_MutexLock, kA, 21);
  return {event(0, lock_a, then_b, {0, 1}), event(1, lock_b, then_a, {})};
}

const RecordedBug kDeadlock{"deadlock", "0.0", "bank.c:21:3", "-", "every thread waits"};

TEST(Interleaving, NamesWhoWaitsForWhatHeldByWhom) {
  const std::vector<std::string> expected{"thread 0 waits for mutex b at bank.c:20, held by thread 0.0 since bank.c:11",
                                          "thread 0.0 waits for mutex a at bank.c:21, held by thread 0 since bank.c:10"};
  EXPECT_EQ(waits_of(deadlock(), TableNames()), expected);
}

TEST(Interleaving, AReleasedLockIsHeldByNobody) {
  auto events = deadlock();
  events.push_back(event(1, operation(INSPECT_OP_MutexUnlock, kB, 12), operation(INSPECT_OP_MutexLock, kA, 21), {0}));
  EXPECT_EQ(waits_of(events, TableNames()),
            std::vector<std::string>{"thread 0.0 waits for mutex a at bank.c:21, held by thread 0 since bank.c:10"});
}

TEST(Interleaving, AThreadInAWaitWaitsForTheConditionVariable) {
  auto wait = operation(INSPECT_OP_CondWait, kX, 5);
  wait.object2 = kA;
  const std::vector<Event> events{event(0, operation(INSPECT_OP_MutexLock, kA, 4), wait, {0}),
                                  event(0, wait, operation(INSPECT_OP_CondWake, kA, 5), {})};
  EXPECT_EQ(waits_of(events, TableNames()), std::vector<std::string>{"thread 0 waits for condition variable x at bank.c:5"});
}

TEST(Interleaving, AWaitThatTimedOutHoldsItsMutexOnceAndGivesItBack) {
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

TEST(Interleaving, TheDecisiveSwitchIsTheLastPreemption) {
  const auto o = operation(INSPECT_OP_AtomicLoad, kX, 1);
  const std::vector<Event> events{event(0, o, o, {0, 1}), event(1, o, o, {0}), event(0, o, o, {0})};
  EXPECT_EQ(decisive_switch(events), 1u);  // the switch back was forced
  EXPECT_EQ(decisive_switch(std::span(events).first(1)), std::nullopt);
  const std::vector<Event> forced{event(0, o, o, {1}), event(1, o, o, {})};
  EXPECT_EQ(decisive_switch(forced), 1u);
}

TEST(Interleaving, ValuesAreSignedAndOutcomesNamed) {
  const TableNames names;
  EXPECT_EQ(value_text(0xffffffff, 4, names), "-1");
  EXPECT_EQ(value_text(0xffffffffffffffff, 8, names), "-1");
  EXPECT_EQ(value_text(200, 1, names), "-56");
  EXPECT_EQ(value_text(kX, 8, names), std::to_string(kX));
  EXPECT_EQ(value_text(0x100000000000, 8, names), "0x100000000000");
  EXPECT_EQ(memory_text(operation(INSPECT_OP_PlainWrite, kX, 1), 0, 7, names), "write x = 7");
  EXPECT_EQ(memory_text(operation(INSPECT_OP_PlainRead, kX, 1), 7, 0, names), "read x: 7");
  EXPECT_EQ(memory_text(operation(INSPECT_OP_AtomicRmw, kX, 1), 1, 2, names), "atomic read-modify-write x: 1 -> 2");
  EXPECT_EQ(memory_text(operation(INSPECT_OP_AtomicCas, kX, 1, INSPECT_FLAG_FAILED), 1, 2, names),
            "compare-exchange x: 1, fails");
  EXPECT_EQ(memory_text(operation(INSPECT_OP_AtomicLoad, 0x99, 1), 1, 0, names), "atomic load p->x: 1");
  const auto trylock = operation(INSPECT_OP_MutexTryLock, kA, 1, INSPECT_FLAG_FAILED);
  EXPECT_EQ(action_text(event(0, trylock, {}, {}), names), "pthread_mutex_trylock(a) fails");
  auto signal = event(0, operation(INSPECT_OP_CondSignal, kX, 1), {}, {});
  EXPECT_EQ(action_text(signal, names), "pthread_cond_signal(x) wakes nobody");
  signal.choice.alternative = 2;
  EXPECT_EQ(action_text(signal, names), "pthread_cond_signal(x) wakes thread 0.0");
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

TEST(Interleaving, TextHasColumnsSourceAndTheMark) {
  const std::string file = testing::TempDir() + "/bank.c";
  std::ofstream(file) << std::string(9, '\n') << "   lock(&a);\n lock(&b);\n";
  SourceLines source({testing::TempDir()});
  const auto events = deadlock();
  const auto text = interleaving_text(interleaving_of({events, {}, {}, {}}, kDeadlock, TableNames()), source, {.width = 80});
  EXPECT_EQ(text,
            "      thread 0 (main)         thread 0.0\n"
            "   1  pthread_mutex_lock(a)\n"
            "        bank.c:10  lock(&a);\n"
            "----- decisive switch: thread 0 stops here, thread 0.0 goes on -----\n"
            "   2                          pthread_mutex_lock(b)\n"
            "                                bank.c:11  lock(&b);\n"
            "thread 0 waits for mutex b at bank.c:20, held by thread 0.0 since bank.c:11\n"
            "thread 0.0 waits for mutex a at bank.c:21, held by thread 0 since bank.c:10\n");
}

TEST(Interleaving, LongOnesAreCutAndCounted) {
  const auto o = operation(INSPECT_OP_AtomicLoad, kX, 1);
  const std::vector<Event> events(50, event(0, o, o, {0}));
  SourceLines source;
  const auto text =
      interleaving_text(interleaving_of({events, {}, {}, {}}, kDeadlock, TableNames()), source, {.max_lines = 10});
  EXPECT_NE(text.find("(40 earlier lines: inspect report shows all)"), std::string::npos);
  EXPECT_EQ(text.find("\n  40"), std::string::npos);
  EXPECT_NE(text.find("\n  41"), std::string::npos);
}

ScheduleFile recorded() {
  ScheduleFile file;
  file.bug = {"data-race", "0.0", "<b>.c:2:1", "a.c:1:1", "x & \"y\""};
  file.steps = {{"0", INSPECT_OP_MutexLock, "m", "a.c:1", ""}, {"0.0", INSPECT_OP_AtomicStore, "<x>", "<b>.c:2", ""}};
  return file;
}

TEST(Render, HtmlEscapesAndHasAColumnAThread) {
  SourceLines source;
  const auto page = interleaving_html(interleaving_of(recorded()), source, "t");
  EXPECT_NE(page.find("<th>thread 0</th><th>thread 0.0</th>"), std::string::npos);
  EXPECT_NE(page.find("atomic store &lt;x&gt;"), std::string::npos);
  EXPECT_NE(page.find("x &amp; &quot;y&quot;"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
}

TEST(Render, DotQuotesItsLabels) {
  const auto graph = interleaving_dot(interleaving_of(recorded()));
  EXPECT_NE(graph.find("label=\"data-race: x & \\\"y\\\"\""), std::string::npos);
  EXPECT_NE(graph.find("s0 -> s1"), std::string::npos);
}

TEST(Render, SarifHasTheShapeOfTheStandard) {
  const auto sarif = nlohmann::json::parse(interleaving_sarif(interleaving_of(recorded())));
  EXPECT_EQ(sarif["version"], "2.1.0");
  ASSERT_TRUE(sarif["runs"].is_array());
  const auto& run = sarif["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["name"], "inspect");
  EXPECT_EQ(run["tool"]["driver"]["rules"][0]["id"], "data-race");
  const auto& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "data-race");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startColumn"], 1);
  EXPECT_EQ(result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a.c");
  const auto& flow = result["codeFlows"][0]["threadFlows"][0]["locations"];
  ASSERT_EQ(flow.size(), 2u);
  EXPECT_EQ(flow[0]["location"]["message"]["text"], "thread 0: pthread_mutex_lock(m)");
}

}  // namespace
}  // namespace inspect::report
