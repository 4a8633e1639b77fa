#include "report/text.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "executions.hpp"
#include "report/interleaving.hpp"

namespace inspect::report {
namespace {

TEST(Text, TextHasColumnsSourceAndTheMark) {
  const std::string file = testing::TempDir() + "/bank.c";
  std::ofstream(file) << std::string(9, '\n') << "   lock(&a);\n lock(&b);\n";
  SourceLines source({testing::TempDir()});
  const auto events = deadlock();
  const BugRun run{.events = events, .turn = Turn{1, 0}};
  const auto text = interleaving_text(interleaving_of(run, kDeadlock, TableNames()), source, {.width = 80});
  EXPECT_EQ(text,
            "      thread 0 (main)         thread 0.0\n"
            "   1  pthread_mutex_lock(a)\n"
            "        bank.c:10  lock(&a);\n"
            "----- decisive switch: thread 0 stops here, thread 0.0 goes on -----\n"
            "   2                          pthread_mutex_lock(b)\n"
            "                                bank.c:11  lock(&b);\n"
            "goes wrong if thread 0.0 runs after bank.c:10 of thread 0 (at bank.c:11)\n"
            "thread 0 waits for mutex b at bank.c:20, held by thread 0.0 since bank.c:11\n"
            "thread 0.0 waits for mutex a at bank.c:21, held by thread 0 since bank.c:10\n");
}

TEST(Text, LongOnesAreCutAndCounted) {
  const auto o = operation(INSPECT_OP_AtomicLoad, kX, 1);
  const std::vector<Event> events(50, event(0, o, o, {0}));
  SourceLines source;
  const auto text = interleaving_text(interleaving_of({.events = events}, kDeadlock, TableNames()), source,
                                      {.max_lines = 10, .all_frames = true});
  EXPECT_NE(text.find("(40 earlier lines: inspect report shows all)"), std::string::npos);
  EXPECT_EQ(text.find("\n  40"), std::string::npos);
  EXPECT_NE(text.find("\n  41"), std::string::npos);
}

TEST(Text, NamesOfThreadsStayWhole) {
  ScheduleFile file;
  file.bug = {"deadlock", "0", "?", "-", ""};
  file.steps = {{"0", INSPECT_OP_ThreadCreate, "a long name of what it creates: thread 0.0.0", "?", ""}};
  SourceLines source;
  for (std::size_t width = 36; width < 80; ++width) {
    const auto text = interleaving_text(interleaving_of(file), source, {.width = width});
    EXPECT_NE(text.find("thread 0.0.0"), std::string::npos) << text;
  }
}

TEST(Text, AVerdictEndsWithTheVerdictAndTheCounts) {
  Verdict verdict;
  verdict.kind = VerdictKind::verified;
  verdict.algorithm = "dpor";
  verdict.executions = 6;
  EXPECT_EQ(verdict_text(verdict, "x.c", true),
            "VERIFIED: x.c: every schedule for this input was covered, no bug (engine native, algorithm dpor)\n"
            "Number of complete executions explored: 6\n");
  verdict.kind = VerdictKind::inconclusive;
  verdict.reason = "stopped after 6 executions (--max-executions)";
  verdict.redundant = 2;
  EXPECT_EQ(verdict_text(verdict, "x.c", true),
            "INCONCLUSIVE: x.c: stopped after 6 executions (--max-executions)\n"
            "Number of complete executions explored: 6\n"
            "Number of redundant executions: 2\n");
  verdict.weak_atomics = 1;
  verdict.assumptions = {"freed addresses are not reused"};
  const auto text = verdict_text(verdict, "x.c", false);
  EXPECT_NE(text.find("assumption: freed addresses are not reused\n"), std::string::npos);
  EXPECT_EQ(text.find("weaker"), std::string::npos);  // that is an assumption, and said there
}

}  // namespace
}  // namespace inspect::report
