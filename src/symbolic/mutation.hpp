// Deliberate errors: of the encodings, each leaves out one condition that soundness rests on; of the front end, each takes
// something in a program for something else. test/symbolic turns them on one by one and must notice every one.
//
// Guarantees: in the product mutated() is the constant false. Only what is built for the tests (INSPECT_MUTANTS) can switch.
#pragma once
#include <cstdint>
#include <string_view>

namespace inspect::symbolic {

enum class Mutation : std::uint8_t {
  none,
#define MUTATION(name, help) name,
#include "symbolic/encode/mutations.def"
#define MUTATION(name, help) name,
#include "symbolic/frontend/mutations.def"
};

#ifdef INSPECT_MUTANTS
inline Mutation active_mutation = Mutation::none;
inline bool mutated(Mutation m) { return active_mutation == m; }
// One of the front end, by its name; false if there is none.
inline bool choose_mutation(std::string_view chosen) {
#define MUTATION(name, help) \
  if (chosen == #name) return active_mutation = Mutation::name, true;
#include "symbolic/frontend/mutations.def"
  return false;
}
#else
constexpr bool mutated(Mutation) { return false; }
#endif

}  // namespace inspect::symbolic
