// Deliberate errors of the explicit search: each leaves out one condition that its reductions rest on. test/explicit_engine
// turns them on one by one and must notice every one.
//
// Guarantees: in the product mutated() is the constant false. Only the library built for the tests (INSPECT_MUTANTS) can
// switch.
#pragma once
#include <cstdint>

namespace inspect::explicit_engine {

enum class Mutation : std::uint8_t {
  none,
#define MUTATION(name, help) name,
#include "explicit_engine/mutations.def"
};

#ifdef INSPECT_MUTANTS
inline Mutation active_mutation = Mutation::none;
inline bool mutated(Mutation m) { return active_mutation == m; }
#else
constexpr bool mutated(Mutation) { return false; }
#endif

}  // namespace inspect::explicit_engine
