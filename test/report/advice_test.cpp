#include "report/advice.hpp"

#include <gtest/gtest.h>

namespace inspect::report {
namespace {

std::vector<std::string> advice(const std::string& reason, std::vector<std::string> assumptions = {}) {
  Verdict verdict;
  verdict.kind = VerdictKind::inconclusive;
  verdict.reason = reason;
  verdict.assumptions = std::move(assumptions);
  return advice_for(verdict);
}

TEST(Advice, EachReasonHasIts) {
  ASSERT_EQ(advice("stopped after 6 executions (--max-executions)").size(), 1u);
  EXPECT_NE(advice("stopped after 6 executions (--max-executions)")[0].find("raise --max-executions"), std::string::npos);
  EXPECT_EQ(advice("the time limit was reached; the step limit of one execution was reached").size(), 2u);
  EXPECT_EQ(advice("what nobody has heard of").size(), 1u);
}

TEST(Advice, ReasonsThatReferToAssumptionsAreToldByThem) {
  const auto found = advice("code that is not instrumented ran while several threads existed (see assumptions)",
                            {"freed addresses are not reused", "uninstrumented function called: frob"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("inspect-cc"), std::string::npos);
}

TEST(Advice, AVerdictThatStandsNeedsNone) {
  Verdict verdict;
  verdict.kind = VerdictKind::verified;
  EXPECT_TRUE(advice_for(verdict).empty());
}

}  // namespace
}  // namespace inspect::report
