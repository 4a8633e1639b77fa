// Deliberate errors: each switches off one condition that soundness rests on. The oracle tests turn them on one by one and must
// notice each; a condition whose absence no test notices is not tested.
//
// Guarantees: in the product mutated() is the constant false. Only the library built for the tests (INSPECT_MUTANTS) can switch
// errors on.
#pragma once
#include <cstdint>

namespace inspect::search {

enum class Mutation : std::uint8_t {
  none,
#define MUTATION(name, help) name,
#include "search/mutations.def"
#define MUTATION(name, help) name,
#include "search/unit_mutations.def"
};

#ifdef INSPECT_MUTANTS
inline Mutation active_mutation = Mutation::none;
inline bool mutated(Mutation m) { return active_mutation == m; }
#else
constexpr bool mutated(Mutation) { return false; }
#endif

}  // namespace inspect::search
