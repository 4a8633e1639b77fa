// Deliberate errors: each switches off one condition that soundness rests on. The programs of test/native are run with them,
// one by one, and must show every one of them.
//
// Guarantees: in the product mutated() is the constant false. Only the runtime built for the tests (INSPECT_MUTANTS) reads
// which one is on, from the environment variable INSPECT_MUTANT.
#pragma once
#include <cstdint>

namespace inspect::runtime {

enum class Mutation : std::uint8_t {
  none,
#define MUTATION(name, help) name,
#include "runtime/platform/mutations.def"
};

#ifdef INSPECT_MUTANTS
extern Mutation active_mutation;
inline bool mutated(Mutation m) { return active_mutation == m; }
void choose_mutation(const char* name);  // null: none
#else
constexpr bool mutated(Mutation) { return false; }
inline void choose_mutation(const char*) {}
#endif

}  // namespace inspect::runtime
