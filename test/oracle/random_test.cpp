// Random model programs: every algorithm against brute force, with every batch size.
//
// INSPECT_FUZZ_SEED and INSPECT_FUZZ_COUNT choose other seeds than those of CI. A failure prints the smallest program that
// still fails, and the command that runs its seed alone.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <utility>

#include "oracle/compare.hpp"
#include "oracle/generator.hpp"
#include "search/reduction/reduction.hpp"

namespace inspect::oracle {
namespace {

constexpr std::size_t kPrefixLimit = 4000;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// Empty if `algorithm` is right about the program, or it has too many behaviours to list.
std::string judge(const ModelProgram& p, const std::string& algorithm, unsigned batch) {
  const auto all = enumerate(p, kPrefixLimit);
  if (!all) return {};
  if (!all->unsound.empty()) return all->unsound;
  const search::ReductionInfo& row = *search::find_reduction(algorithm);
  return compare(p, *all, algorithm, batch, batch == 1 ? !enumerates(row) : is_optimal(row) && all->bugs.empty()).wrong;
}

using Make = ModelProgram (*)(std::uint64_t seed);

void report(Make make, std::uint64_t seed, const std::string& algorithm, unsigned batch) {
  const ModelProgram small = shrink(make(seed), [&](const ModelProgram& p) { return !judge(p, algorithm, batch).empty(); });
  ADD_FAILURE() << "seed " << seed << ", " << algorithm << ", batch " << batch << ": " << judge(small, algorithm, batch) << '\n'
                << to_text(small) << "again: INSPECT_FUZZ_SEED=" << seed << " INSPECT_FUZZ_COUNT=1 oracle_random\n";
}

struct Coverage {
  std::uint64_t listed = 0;
  std::map<std::string_view, std::uint64_t> fell_back;  // programs that an algorithm left to another one
};

Coverage expect_all_covered(Make make) {
  const std::uint64_t first = number_from("INSPECT_FUZZ_SEED", 1), count = number_from("INSPECT_FUZZ_COUNT", 6000);
  std::uint64_t classes = 0, buggy = 0, failures = 0;
  Coverage covered;
  auto& [listed, fell_back] = covered;
  std::map<std::string_view, std::uint64_t> redundant;
  for (std::uint64_t seed = first; seed < first + count && failures < 5; ++seed) {
    const ModelProgram p = make(seed);
    const auto all = enumerate(p, kPrefixLimit);
    if (!all) continue;
    ++listed;
    classes += all->classes.size();
    buggy += !all->bugs.empty();
    if (!all->unsound.empty()) {
      ++failures;
      report(make, seed, "auto", 1);
      continue;
    }
    for (const search::ReductionInfo& r : search::reductions()) {
      if (!r.property.empty() || enumerates(r)) continue;
      for (const unsigned batch : {1u, 2u, 7u, 16u}) {
        if (batch != 1 && batch != 2 + 5 * (seed % 2) && seed % 3) continue;  // 1 always, the others in turn
        const Comparison c = compare(p, *all, std::string(r.name), batch, batch == 1 || (is_optimal(r) && all->bugs.empty()));
        if (batch == 1) redundant[r.name] += c.redundant;
        if (batch == 1) fell_back[r.name] += c.fell_back;
        if (c.wrong.empty()) continue;
        ++failures;
        report(make, seed, std::string(r.name), batch);
      }
    }
  }
  std::cout << listed << " programs, " << buggy << " with bugs, " << classes << " classes\n";
  for (const auto& [name, n] : redundant)
    std::cout << name << ": " << n << " redundant executions, " << fell_back[name] << " programs left to another algorithm\n";
  EXPECT_GT(listed * 2, count) << "most programs must be small enough to list";
  return covered;
}

TEST(Random, EveryAlgorithmCoversEveryBehaviour) { expect_all_covered(random_program); }
// `optimal` foretells how they come out, in most programs.
TEST(Random, EveryAlgorithmCoversExchanges) {
  const Coverage c = expect_all_covered(exchanging_program);
  for (const search::ReductionInfo& r : search::reductions())
    if (is_optimal(r)) EXPECT_LT(c.fell_back.at(r.name) * 2, c.listed);
}
TEST(Random, EveryAlgorithmCoversLoopsThatWait) { expect_all_covered(waiting_program); }

// With the turns in vain taken, and without them.
TEST(Random, TurnsInVainShowNoOtherBug) {
  const std::uint64_t first = number_from("INSPECT_FUZZ_SEED", 1), count = number_from("INSPECT_FUZZ_COUNT", 6000);
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const ModelProgram p = waiting_program(seed);
    ModelProgram turns = p;
    bool any = false;
    for (auto& list : turns.threads)
      for (Instruction& i : list)
        if (std::exchange(i.code, i.code == Code::await ? Code::spin : i.code) == Code::await) any = true;
    if (!any) continue;
    const auto without = enumerate(p, kPrefixLimit), with = enumerate(turns, kPrefixLimit);
    if (!without || !with) continue;
    ++compared;
    EXPECT_EQ(without->bugs, with->bugs) << seed << '\n' << to_text(p);
  }
  std::cout << compared << " programs\n";
}

TEST(Random, EnumerationMissesNothing) {
  const std::uint64_t count = number_from("INSPECT_FUZZ_COUNT", 6000) / 20;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const ModelProgram p = random_program(seed);
    const auto all = enumerate(p, 100);
    for (const search::ReductionInfo& r : search::reductions())
      if (all && enumerates(r))
        EXPECT_EQ(compare(p, *all, std::string(r.name), 1 + seed % 4, false).wrong, "") << seed << '\n' << to_text(p);
  }
}

}  // namespace
}  // namespace inspect::oracle
