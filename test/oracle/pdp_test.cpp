// Property-driven pruning: a data race is found if and only if there is one.
//
// INSPECT_FUZZ_SEED and INSPECT_FUZZ_COUNT choose other programs, and more of them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "oracle/compare.hpp"
#include "oracle/generator.hpp"
#include "pdp_programs.hpp"

namespace inspect::oracle {
namespace {

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

class RacePrograms : public testing::TestWithParam<RaceProgram> {};

TEST_P(RacePrograms, RacesAreFoundWithFewerExecutions) {
  const ModelProgram p = parse_model(GetParam().text);
  const auto racy = has_data_race(p, 2000);
  ASSERT_TRUE(racy);
  EXPECT_EQ(*racy, GetParam().racy);
  const RaceComparison c = compare_races(p, *racy, 1);
  EXPECT_EQ(c.wrong, "");
  EXPECT_EQ(c.executions, GetParam().executions) << c.limits;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) EXPECT_EQ(compare_races(p, *racy, 1, seed).wrong, "") << seed;
}

INSTANTIATE_TEST_SUITE_P(Pdp, RacePrograms, testing::ValuesIn(kRacePrograms),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Pdp, RandomPrograms) {
  const std::uint64_t first = number_from("INSPECT_FUZZ_SEED", 1), count = number_from("INSPECT_FUZZ_COUNT", 1000);
  std::uint64_t programs = 0, racy_ones = 0, checks = 0, successes = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const ModelProgram p = seed % 4 ? locking_program(seed) : random_program(seed);
    const auto racy = has_data_race(p, 400);
    if (!racy) continue;
    ++programs;
    racy_ones += *racy;
    for (const auto& coarse : {std::optional<std::uint64_t>(), std::optional(seed)}) {
      const unsigned batch = seed % 3 ? 1 : 7;
      const RaceComparison c = compare_races(p, *racy, batch, coarse);
      checks += c.checks;
      successes += c.successes;
      if (c.wrong.empty()) continue;
      const auto fails = [&](const ModelProgram& q) {
        const auto truth = has_data_race(q, 400);
        return truth && !compare_races(q, *truth, batch, coarse).wrong.empty();
      };
      FAIL() << "seed " << seed << (coarse ? ", coarse: " : ": ") << c.wrong << '\n' << to_text(shrink(p, fails));
    }
  }
  std::cout << programs << " programs, " << racy_ones << " with a race; " << checks << " checks, " << successes
            << " successes\n";
  EXPECT_GT(racy_ones, count / 20);
  EXPECT_GT(programs - racy_ones, count / 20);
  EXPECT_GT(successes, checks / 20);
}

}  // namespace
}  // namespace inspect::oracle
