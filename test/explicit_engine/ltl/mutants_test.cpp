// Translation, product and fairness with one condition left out: each must be noticed by comparison with the definition.
#include <gtest/gtest.h>

#include <iostream>

#include "explicit_engine/ltl/mutation.hpp"
#include "reference.hpp"

namespace inspect::explicit_engine::ltl {
namespace {

struct Row {
  Mutation mutation;
  const char* name;
  const char* help;
};
constexpr Row kRows[] = {
#define MUTATION(name, help) {Mutation::name, #name, help},
#include "explicit_engine/ltl/mutations.def"
};

TEST(Mutants, AreNoticed) {
  for (const Row& row : kRows) {
    active_mutation = row.mutation;
    bool noticed = false;
    for (std::uint64_t seed = 1; seed <= 2000 && !noticed; ++seed) {
      noticed = wrong_about_words(seed) || wrong_about_graphs(seed);
      if (noticed) std::cout << row.name << ": at seed " << seed << '\n';
    }
    active_mutation = Mutation::none;
    EXPECT_TRUE(noticed) << row.name << ": " << row.help;
  }
}

}  // namespace
}  // namespace inspect::explicit_engine::ltl
