// What optimal counts is a property of the program (SEMANTICS H.7): neither the names of the threads, which is the order of
// their creation, nor the first schedule changes it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

#include "oracle/enumerate.hpp"
#include "oracle/generator.hpp"
#include "oracle/interpreted_program.hpp"
#include "programs.hpp"
#include "search/search.hpp"

namespace inspect::oracle {
namespace {

// Old number of a thread → new one. Main stays, and so do threads that a program names but does not have.
using Renaming = std::array<std::uint8_t, kModelThreads>;

// The same program, its threads numbered otherwise.
ModelProgram renamed(const ModelProgram& p, const Renaming& to) {
  ModelProgram out = p;
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    auto& instructions = out.threads[to[t]] = p.threads[t];
    for (Instruction& i : instructions)
      if (i.code == Code::create || i.code == Code::join || i.code == Code::try_join || i.code == Code::detach)
        i.object = to[i.object];
  }
  return out;
}

Renaming random_renaming(std::size_t threads, Random& random) {
  Renaming to{};
  std::iota(to.begin(), to.end(), std::uint8_t{0});
  for (std::size_t i = threads; i > 2; --i) std::swap(to[i - 1], to[1 + random.below(static_cast<std::uint32_t>(i - 1))]);
  return to;
}

struct Count {
  std::uint64_t executions, redundant;
  bool fell_back;
};

Count count(const ModelProgram& p, unsigned batch, std::optional<std::uint64_t> first = std::nullopt) {
  InterpretedProgram target(p, batch, first);
  search::Options options;
  options.algorithm = "optimal";
  const search::Outcome outcome = search::explore(target, options);
  EXPECT_TRUE(outcome.exhausted) << outcome.why_not;
  return {outcome.executions, outcome.redundant, outcome.fell_back};
}

// The footprint of a section is known only once it was executed, so sections that turn out not to conflict were tried both
// ways; a loop that waits cuts executions, which count as redundant.
bool counts_others(const ModelProgram& p) {
  return std::ranges::any_of(p.threads, [](const auto& list) {
    return std::ranges::any_of(list, [](auto& i) { return i.code == Code::section || i.code == Code::spin; });
  });
}

struct Tally {
  unsigned compared = 0, by_source = 0;
};

// Not of programs with bugs: an execution that a bug cuts short belongs to no class.
void check(const ModelProgram& p, std::uint64_t seed, Tally& tally) {
  const auto all = enumerate(p, 4000);
  if (!all || !all->bugs.empty() || counts_others(p)) return;
  Random random(seed);
  const ModelProgram q = renamed(p, random_renaming(p.threads.size(), random));
  const struct {
    const ModelProgram& program;
    unsigned batch;
    std::optional<std::uint64_t> first;
  } variants[] = {{p, 1, {}}, {q, 1, {}}, {p, 1, seed}, {q, 1, seed + 1}, {q, 7, seed + 2}};
  ++tally.compared;
  for (const auto& v : variants) {
    const Count c = count(v.program, v.batch, v.first);
    if (c.fell_back) {  // where outcomes cannot be foretold source does the work, which promises less
      ++tally.by_source;
      if (v.batch > 1) continue;
    } else {
      EXPECT_EQ(c.redundant, 0u);
    }
    EXPECT_EQ(c.executions, all->classes.size()) << "seed " << seed << ", variant " << &v - variants << '\n'
                                                 << to_text(v.program);
  }
}

TEST(Invariance, OfRandomPrograms) {
  const char* const first_text = std::getenv("INSPECT_FUZZ_SEED");
  const char* const count_text = std::getenv("INSPECT_FUZZ_COUNT");
  const std::uint64_t first = first_text ? std::strtoull(first_text, nullptr, 10) : 1;
  const std::uint64_t programs = count_text ? std::strtoull(count_text, nullptr, 10) : 3000;
  Tally tally;
  for (std::uint64_t seed = first; seed < first + programs && !testing::Test::HasFailure(); ++seed)
    check(random_program(seed), seed, tally);
  std::cout << tally.compared << " programs; " << tally.by_source << " of five times as many runs by source\n";
  EXPECT_GT(tally.compared * 4, programs);
}

TEST(Invariance, OfTheSemanticsPrograms) {
  Tally tally;
  for (const NamedProgram& named : kPrograms)
    for (std::uint64_t seed = 1; seed <= 8; ++seed) check(parse_model(named.text), seed, tally);
  EXPECT_GT(tally.compared, 100u);
}

}  // namespace
}  // namespace inspect::oracle
