// The bound on preemptions, against a brute-force enumeration of the schedules within it.
//
// INSPECT_FUZZ_SEED and INSPECT_FUZZ_COUNT choose other seeds than those of CI.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "oracle/compare.hpp"
#include "oracle/generator.hpp"
#include "oracle/interpreted_program.hpp"
#include "programs.hpp"

namespace inspect::oracle {
namespace {

constexpr std::size_t kPrefixLimit = 4000;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// Empty if the search is right about the schedules with at most `bound` preemptions, or they are too many to list.
std::string judge(const ModelProgram& p, const std::string& algorithm, unsigned bound, unsigned batch) {
  const auto within = enumerate(p, kPrefixLimit, bound);
  return within ? compare(p, *within, algorithm, batch, false, bound).wrong : std::string();
}

TEST(Bound, NothingWithinItIsMissed) {
  std::uint64_t listed = 0, left_out = 0, failures = 0, fewer = 0, executions = 0, classes = 0;
  const std::uint64_t first = number_from("INSPECT_FUZZ_SEED", 1), count = number_from("INSPECT_FUZZ_COUNT", 3000);
  for (std::uint64_t seed = first; seed < first + count && failures < 5; ++seed) {
    const ModelProgram p = random_program(seed);
    const auto all = enumerate(p, kPrefixLimit);
    if (!all) continue;
    ++listed;
    for (const unsigned bound : {0u, 1u, 2u}) {
      const auto within = enumerate(p, 4 * kPrefixLimit, bound);
      if (!within) continue;
      fewer += within->classes.size() < all->classes.size();
      const Comparison c = compare(p, *within, "dpor", seed % 2 ? 1 : 7, false, bound);
      left_out += c.left_out;
      executions += c.executions;
      classes += within->classes.size();
      std::string wrong = c.wrong;
      if (!c.left_out && (within->classes != all->classes || within->bugs != all->bugs))
        wrong += "something was left out silently";
      if (wrong.empty()) continue;
      ++failures;
      const ModelProgram small = shrink(p, [&](const ModelProgram& q) { return !judge(q, "dpor", bound, 1).empty(); });
      ADD_FAILURE() << "seed " << seed << ", bound " << bound << ": " << wrong << '\n' << to_text(small);
    }
  }
  std::cout << listed << " programs; the bound left schedules out " << left_out << " times, classes " << fewer << " times; "
            << executions << " executions for " << classes << " classes\n";
  EXPECT_GT(listed * 2, count) << "most programs must be small enough to list";
  EXPECT_GT(fewer * 5, count) << "the bound must mean something";
}

TEST(Bound, NaiveMissesNothingEither) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const ModelProgram p = random_program(seed);
    if (!enumerate(p, 100)) continue;
    for (const unsigned bound : {0u, 1u, 2u})
      EXPECT_EQ(judge(p, "naive", bound, 1 + seed % 4), "") << seed << '\n' << to_text(p);
  }
}

TEST(Bound, TheProgramsOfTheRules) {
  for (const NamedProgram& named : kPrograms)
    for (const unsigned bound : {0u, 1u, 2u, 3u})
      for (const unsigned batch : {1u, 16u})
        EXPECT_EQ(judge(parse_model(named.text), "dpor", bound, batch), "") << named.name << bound;
}

TEST(Bound, OnlyWhatIsLeftOutTakesTheVerdictAway) {
  const ModelProgram p =
      parse_model("thread 0: create t1; create t2; thread 1: store x0 1; store x0 2; thread 2: r0 = load x0");
  const auto run = [&](unsigned bound) {
    InterpretedProgram target(p);
    search::Options options;
    options.preemptions = bound;
    return search::explore(target, options);
  };
  const search::Outcome none = run(0), enough = run(9);
  EXPECT_FALSE(none.exhausted);
  EXPECT_EQ(none.why_not, "schedules with more than 0 preemptions were left out");
  EXPECT_TRUE(enough.exhausted) << enough.why_not;
  EXPECT_TRUE(enough.left_out.empty());
}

}  // namespace
}  // namespace inspect::oracle
