#include "engine/known_bugs.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"

namespace inspect::engine {
namespace {

BugIdentity race(const std::string& top, const std::string& caller, const std::string& object = "counter") {
  return {INSPECT_BUG_DATA_RACE,
          {{{top, "src/a.c", "x"}, {caller, "src/b.c", ""}}, {{"other", "src/c.c", "x"}}},
          object,
          "write of 4 bytes"};
}

class KnownBugsTest : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    const std::string path = folder_->path() + '/' + name;
    EXPECT_FALSE(write_file(path, text));
    return path;
  }
  std::string suppressions(const std::string& text) { return file("suppressions", text); }

 private:
  std::unique_ptr<TemporaryFolder> folder_ = std::move(*TemporaryFolder::create());
};

TEST(Patterns, MatchAnywhereUnlessAnchored) {
  EXPECT_TRUE(matches_pattern("crement", "increment"));
  EXPECT_TRUE(matches_pattern("in*ment", "do_increment_it"));
  EXPECT_TRUE(matches_pattern("^inc*nt$", "increment"));
  EXPECT_TRUE(matches_pattern("*", ""));
  EXPECT_FALSE(matches_pattern("^crement", "increment"));
  EXPECT_FALSE(matches_pattern("incr$", "increment"));
  EXPECT_FALSE(matches_pattern("i*x", "increment"));
}

TEST_F(KnownBugsTest, SuppressionsMatchStacksAndObjects) {
  const auto suppressed = [&](const std::string& line, const BugIdentity& bug) {
    const auto known = KnownBugs::read(suppressions(line + '\n'), "");
    return known.ok() && known->find(bug).has_value();
  };
  EXPECT_TRUE(suppressed("race:top_one", race("top_one", "caller")));
  EXPECT_TRUE(suppressed("race:call*", race("top_one", "caller")));
  EXPECT_TRUE(suppressed("race:src/c.c", race("top_one", "caller")));
  EXPECT_TRUE(suppressed("race:^counter$", race("top_one", "caller")));
  EXPECT_TRUE(suppressed("race_top:other", race("top_one", "caller")));
  EXPECT_FALSE(suppressed("race_top:caller", race("top_one", "caller")));
  EXPECT_FALSE(suppressed("race_top:counter", race("top_one", "caller")));
  EXPECT_FALSE(suppressed("deadlock:top_one", race("top_one", "caller")));
  EXPECT_FALSE(suppressed("race:^$", race("top_one", "caller", "")));
  const BugIdentity deadlock{INSPECT_BUG_DEADLOCK, {{{"f", "a.c", ""}}, {{"g", "a.c", ""}}}, "", ""};
  EXPECT_TRUE(suppressed("deadlock:g", deadlock));
  EXPECT_FALSE(suppressed("race:g", deadlock));
  const BugIdentity misuse{INSPECT_BUG_API_MISUSE, {{{"f", "a.c", ""}}}, "", ""};
  EXPECT_TRUE(suppressed("mutex:f", misuse));
}

TEST_F(KnownBugsTest, NotesSayWhatWasMetAndWhatNot) {
  auto known = KnownBugs::read(suppressions("# known\n\nrace:top_one\nrace:nobody\n"), "");
  ASSERT_TRUE(known.ok());
  known->count(race("top_one", "caller"));
  known->count(race("top_one", "another"));
  const auto notes = known->notes();
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_NE(notes[0].find("2 data races suppressed by "), std::string::npos) << notes[0];
  EXPECT_NE(notes[0].find(":3"), std::string::npos) << notes[0];
  EXPECT_NE(notes[1].find("suppresses nothing"), std::string::npos) << notes[1];
}

TEST_F(KnownBugsTest, BadFilesAreRefusedWithTheLine) {
  const auto error = [&](const std::string& text) { return KnownBugs::read(suppressions(text), "").error(); };
  EXPECT_NE(error("race:a\nrase:b\n").find(":2: unknown type 'rase'"), std::string::npos);
  EXPECT_NE(error("race\n").find(":1: expected type:pattern"), std::string::npos);
  EXPECT_NE(error("race:\n").find(":1: expected type:pattern"), std::string::npos);
  EXPECT_FALSE(KnownBugs::read("/nowhere/suppressions", "").ok());
  EXPECT_FALSE(KnownBugs::read("", file("b", "text")).ok());
  EXPECT_FALSE(KnownBugs::read("", file("b", R"({"schema": 1, "bugs": [{}], "known_bugs": []})")).ok());
  EXPECT_TRUE(KnownBugs::read("", "/nowhere/baseline").ok());
}

TEST_F(KnownBugsTest, TheBaselineIsAReport) {
  const std::string print = race("f", "g").fingerprint();
  for (const char* list :
       {R"({"schema": 1, "bugs": [{"fingerprint": ")", R"({"schema": 1, "known_bugs": [], "bugs": [{"fingerprint": ")"}) {
    const auto known = KnownBugs::read("", file("b", list + print + R"("}], "known_bugs": []})"));
    ASSERT_TRUE(known.ok());
    EXPECT_TRUE(known->find(race("f", "g")));
    EXPECT_FALSE(known->find(race("h", "g")));
  }
}

TEST(Fingerprint, HoldsNoLinesFoldersOrOrder) {
  BugIdentity a = race("f", "g", "heap object[+8] of src/a.c:12");
  BugIdentity b = race("f", "another", "heap object[+8] of lib/a.c:44");
  std::swap(b.stacks[0], b.stacks[1]);
  b.message = "read of 1 byte";
  b.stacks[0][0].file = "/elsewhere/c.c";
  EXPECT_EQ(a.fingerprint(), b.fingerprint());
  b.stacks[0][0].expression = "y";
  EXPECT_NE(a.fingerprint(), b.fingerprint());
  BugIdentity assertion{INSPECT_BUG_ASSERTION, {{{"f", "a.c", ""}}}, "", "x == 1"}, other = assertion;
  other.message = "x == 2";
  EXPECT_NE(assertion.fingerprint(), other.fingerprint());
}

}  // namespace
}  // namespace inspect::engine
