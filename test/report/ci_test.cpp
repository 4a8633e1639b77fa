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

// Neither control characters nor what is no UTF-8 may stand in XML.
TEST(Ci, JunitIsWellFormedWhateverAMessageHolds) {
  Verdict verdict = with_bug();
  verdict.bugs[0].message = "\x01\xff";
  const auto text = verdict_junit(verdict, "t");
  EXPECT_EQ(text.find('\x01'), std::string::npos);
  EXPECT_EQ(text.find('\xff'), std::string::npos);
}

TEST(Ci, AFilesNameMayHoldColons) {
  Verdict verdict = with_bug();
  verdict.bugs[0].location = "a:b.c:3:5";
  EXPECT_EQ(github_annotations(verdict, "t").substr(0, 36), "::error file=a%3Ab.c,line=3,col=5,ti");
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
