#include "report/ci.hpp"

#include <gtest/gtest.h>

namespace inspect::report {
namespace {

Verdict with_bug() {
  Verdict verdict;
  verdict.kind = VerdictKind::bug;
  BugReport bug;
  bug.kind = INSPECT_BUG_ASSERTION;
  bug.message = "a < b & \"c\" 100%";
  bug.thread = "0.1";
  bug.location = "a,b.c:3:5";
  bug.schedule = "x.schedule";
  verdict.bugs.push_back(bug);
  return verdict;
}

TEST(Ci, JunitFailsForABugAndEscapes) {
  const auto text = verdict_junit(with_bug(), "<t>");
  EXPECT_NE(text.find("failures=\"1\""), std::string::npos);
  EXPECT_NE(text.find("name=\"&lt;t&gt;\""), std::string::npos);
  EXPECT_NE(text.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
}

TEST(Ci, JunitSkipsWhatIsNotProved) {
  Verdict verdict;
  verdict.kind = VerdictKind::inconclusive;
  verdict.reason = "the time limit was reached";
  EXPECT_NE(
      verdict_junit(verdict, "t").find("<skipped message=\"inconclusive: the time limit was reached\">raise --time-limit"),
      std::string::npos);
  verdict.kind = VerdictKind::verified;
  EXPECT_EQ(verdict_junit(verdict, "t").find("skipped message"), std::string::npos);
}

TEST(Ci, AnnotationsNameThePlace) {
  EXPECT_EQ(
      github_annotations(with_bug(), "t"),
      "::error file=a%2Cb.c,line=3,col=5,title=assertion in t::assertion: a < b & \"c\" 100%25 (thread 0.1 at a,b.c:3:5)\n");
}

}  // namespace
}  // namespace inspect::report
