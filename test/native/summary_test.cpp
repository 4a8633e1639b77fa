#include "native/summary.hpp"

#include <gtest/gtest.h>

#include "model/schedule.hpp"

namespace inspect::native {
namespace {

class LineNames : public report::Names {
 public:
  report::Site site(std::uint32_t number) const override {
    report::Site site;
    if (number) site = {"a.c", "f", "", number, 1};
    return site;
  }
  std::string thread(ThreadId number) const override { return std::to_string(number); }
  std::string object(std::uint64_t) const override { return "x"; }
};

search::Outcome exhausted() {
  search::Outcome outcome;
  outcome.exhausted = true;
  return outcome;
}

VerdictKind verdict_of(const search::Outcome& outcome, const RuntimeNotes& notes = {}) {
  return judge(findings_of(outcome, notes, LineNames())).kind;
}

TEST(Summary, OnlyAnExhaustedSearchIsVerified) {
  EXPECT_EQ(verdict_of(exhausted()), VerdictKind::verified);
  search::Outcome cut;
  cut.why_not = "the time limit was reached";
  EXPECT_EQ(judge(findings_of(cut, {}, LineNames())).reason, "the time limit was reached");
  EXPECT_EQ(verdict_of(cut), VerdictKind::inconclusive);
  cut.why_not.clear();
  EXPECT_EQ(verdict_of(cut), VerdictKind::inconclusive);
}

TEST(Summary, CutsRelyOnAnExecutionThatEnds) {
  search::Outcome cut = exhausted();
  cut.redundant = 2;
  EXPECT_EQ(verdict_of(cut), VerdictKind::inconclusive);
  cut.executions = 1;
  EXPECT_EQ(verdict_of(cut), VerdictKind::verified);
}

TEST(Summary, WhatTheRuntimeLeftOutIsNeverVerified) {
  RuntimeNotes uncovered, handlers, values;
  uncovered.uncovered_calls = true;
  handlers.unsafe_handlers = true;
  values.values_left_out = true;
  EXPECT_EQ(verdict_of(exhausted(), uncovered), VerdictKind::inconclusive);
  EXPECT_EQ(verdict_of(exhausted(), handlers), VerdictKind::inconclusive);
  EXPECT_EQ(verdict_of(exhausted(), values), VerdictKind::inconclusive);
  const auto reason = [](const RuntimeNotes& notes) { return judge(findings_of(exhausted(), notes, LineNames())).reason; };
  EXPECT_NE(reason(handlers).find("a signal's handler"), std::string::npos);
  EXPECT_EQ(reason(handlers).find("not instrumented"), std::string::npos);
}

TEST(Summary, ALimitIsToldOnceWithItsPlace) {
  search::Outcome outcome;
  outcome.limit = search::CutExecution{{.detail = INSPECT_LIMIT_STEPS, .message = "too many steps", .site = 7}, {}};
  outcome.why_not = "too many steps";
  const auto judgement = judge(findings_of(outcome, {}, LineNames()));
  EXPECT_EQ(judgement.kind, VerdictKind::inconclusive);
  EXPECT_EQ(judgement.reason, "too many steps at a.c:7:1");
}

TEST(Summary, DivergenceAndUnsupportedCallsWinOverLimits) {
  search::Outcome outcome;
  outcome.why_not = "an execution did not repeat";
  outcome.divergence = search::CutExecution{{.message = "step 3 differs"}, {}};
  EXPECT_EQ(verdict_of(outcome), VerdictKind::unsupported);
  outcome.divergence.reset();
  outcome.unsupported = search::CutExecution{{.message = "fork is not supported", .site = 2}, {}};
  EXPECT_EQ(judge(findings_of(outcome, {}, LineNames())).reason, "fork is not supported at a.c:2:1");
  outcome.bugs.emplace_back();
  EXPECT_EQ(verdict_of(outcome), VerdictKind::bug);
}

TEST(Summary, ASampleIsNeverVerified) {
  search::Outcome outcome;
  outcome.why_not = "10 executions were sampled";
  outcome.sampled = Sampled{.classes = 3, .pct_depth = 2, .pct_bound = 0.25};
  EXPECT_EQ(verdict_of(outcome), VerdictKind::inconclusive);
  Verdict verdict;
  add_measurements(verdict, outcome, {});
  ASSERT_TRUE(verdict.sampled);
  EXPECT_EQ(verdict.sampled->classes, 3u);
  EXPECT_EQ(verdict.sampled->pct_depth, 2u);
}

TEST(Summary, AssumptionsSayWhatIsNotExplored) {
  RuntimeNotes notes;
  EXPECT_NE(assumptions_of(notes)[1].find("compare_exchange_weak"), std::string::npos);
  notes.clock_read = true;
  notes.weak_atomics = 2;
  notes.texts = {"f is not instrumented"};
  EXPECT_EQ(assumptions_of(notes).size(), 5u);
}

}  // namespace
}  // namespace inspect::native
