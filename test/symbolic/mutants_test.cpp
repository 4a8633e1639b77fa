// Encodings with one condition left out: each must be noticed by comparison with the enumeration.
#include <gtest/gtest.h>

#include <iostream>

#include "models.hpp"
#include "symbolic/mutation.hpp"

namespace inspect::symbolic::tiny {
namespace {

struct Row {
  Mutation mutation;
  const char* name;
  const char* help;
};
constexpr Row kRows[] = {
#define MUTATION(name, help) {Mutation::name, #name, help},
#include "symbolic/encode/mutations.def"
};

// Seeds until it is noticed, for one order; 0 if it is not.
std::uint64_t noticed_at(OrderKind order, std::uint64_t most) {
  for (std::uint64_t seed = 1; seed <= most; ++seed) {
    const Program p = random_program(seed);
    const std::size_t length = length_for(p, seed);
    const Enumeration truth = enumerate(p, length, kMostExecutions / 4);
    if (truth.too_many || truth.class_of.empty()) continue;
    if (!take_census(p, truth, length, order).wrong(order).empty()) return seed;
  }
  return 0;
}

// The same by the last states of the event encoding.
std::uint64_t noticed_by_events(std::uint64_t most) {
  for (std::uint64_t seed = 1; seed <= most; ++seed) {
    const Program p = random_program(seed);
    const System system = to_system(p);
    if (std::ranges::any_of(system.threads, [](const Thread& t) { return !longest_path(t); })) continue;
    const States truth = reachable_states(p);
    if (truth.size() <= 200 && states_by_events(p, seed % 2 ? 128 : 0) != truth) return seed;
  }
  return 0;
}

TEST(Mutants, AreNoticed) {
  for (const Row& row : kRows) {
    active_mutation = row.mutation;
    std::uint64_t noticed = 0;
    for (const OrderKind order : {OrderKind::mpor, OrderKind::lex, OrderKind::ppor}) {
      noticed = noticed_at(order, 1200);
      if (noticed) std::cout << row.name << ": by " << word_of(order) << " at seed " << noticed << '\n';
      if (noticed) break;
    }
    if (!noticed) {
      noticed = noticed_by_events(300);
      if (noticed) std::cout << row.name << ": by events at seed " << noticed << '\n';
    }
    active_mutation = Mutation::none;
    EXPECT_NE(noticed, 0u) << row.name << ": " << row.help;
  }
}

}  // namespace
}  // namespace inspect::symbolic::tiny
