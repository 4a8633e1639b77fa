// Symmetry on model programs: the same ends, but for names of threads, and the same kinds of bugs as brute force; and it is
// good for something.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "algorithms.hpp"
#include "oracle/compare.hpp"
#include "oracle/generator.hpp"
#include "programs.hpp"

namespace inspect::oracle {
namespace {

constexpr std::size_t kPrefixLimit = 4000;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::string judge(const ModelProgram& p, const std::string& algorithm) {
  const auto all = enumerate(p, kPrefixLimit);
  if (!all) return "";
  for (unsigned batch = 1; batch <= 5; ++batch)
    if (const Comparison c = compare_symmetric(p, *all, algorithm, batch); !c.wrong.empty()) return c.wrong;
  return "";
}

class Symmetric : public testing::TestWithParam<std::string> {};

TEST_P(Symmetric, CoversThePrograms) {
  for (const NamedProgram& named : kPrograms) {
    const ModelProgram p = parse_model(named.text);
    EXPECT_EQ(compare_symmetric(p, *enumerate(p, 1 << 20), GetParam()).wrong, "") << named.name;
  }
}

TEST_P(Symmetric, CoversRandomPrograms) {
  const std::uint64_t first = number_from("INSPECT_FUZZ_SEED", 1), count = number_from("INSPECT_FUZZ_COUNT", 6000);
  std::uint64_t skipped = 0, failures = 0;
  for (std::uint64_t seed = first; seed < first + count && failures < 3; ++seed) {
    const ModelProgram p = symmetric_program(seed);
    const auto all = enumerate(p, kPrefixLimit);
    if (!all) continue;
    const Comparison c = compare_symmetric(p, *all, GetParam(), 1 + seed % 5);
    skipped += c.successes;
    if (c.wrong.empty()) continue;
    ++failures;
    const ModelProgram small = shrink(p, [](const ModelProgram& q) { return !judge(q, GetParam()).empty(); });
    ADD_FAILURE() << "seed " << seed << ": " << judge(small, GetParam()) << '\n' << to_text(small);
  }
  std::cout << skipped << " transitions skipped\n";
  EXPECT_GT(skipped, count / 20);
}

// K workers, each locks one mutex once: K! classes, of which symmetry leaves one.
TEST_P(Symmetric, IdenticalWorkersAreOneClass) {
  for (unsigned k = 2; k <= 7; ++k) {
    std::string text = "thread 0:";
    for (unsigned t = 1; t <= k; ++t) text += " create t" + std::to_string(t) + ";";
    for (unsigned t = 1; t <= k; ++t) text += " join t" + std::to_string(t) + ";";
    for (unsigned t = 1; t <= k; ++t) text += " thread " + std::to_string(t) + ": lock m0; r0 = add x0 1; unlock m0;";
    const ModelProgram p = parse_model(text);
    Behaviours none;
    EXPECT_EQ(compare_symmetric(p, none, GetParam()).executions, 1u) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, Symmetric, testing::ValuesIn(algorithms([](const auto& r) { return r.symmetry; })),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace inspect::oracle
