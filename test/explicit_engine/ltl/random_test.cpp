// Translation, product and fairness against the definition, on formulas, words and graphs at random. INSPECT_FUZZ_SEED,
// INSPECT_FUZZ_COUNT: others, more.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "reference.hpp"

namespace inspect::explicit_engine::ltl {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text ? std::stoull(text) : otherwise;
}

template <class Wrong>
void try_seeds(std::uint64_t count, Wrong wrong) {
  const std::uint64_t first = number_from("INSPECT_FUZZ_SEED", 1);
  count = number_from("INSPECT_FUZZ_COUNT", count);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const auto message = wrong(seed);
    ASSERT_FALSE(message) << *message;
  }
}

TEST(Random, AutomataAcceptWhatFormulasSay) { try_seeds(6000, wrong_about_words); }
TEST(Random, ViolationsOfGraphsAreFound) { try_seeds(1500, wrong_about_graphs); }

}  // namespace
}  // namespace inspect::explicit_engine::ltl
