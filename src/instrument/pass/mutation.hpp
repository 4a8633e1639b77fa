// Deliberate errors, which tests must notice: an environment variable names one.
//
// INSPECT_STATES_ERROR: frame records, test/identity. INSPECT_CODE_ERROR: the table of code, test/pdp. Guarantees: none in the
// product, where mutated() is the constant false; only the pass built for the tests (INSPECT_MUTANTS) looks.
#pragma once
#include <llvm/ADT/StringRef.h>
#include <cstdlib>

namespace inspect::pass {

#ifdef INSPECT_MUTANTS
inline bool mutated(llvm::StringRef error) {
  for (const char* variable : {"INSPECT_STATES_ERROR", "INSPECT_CODE_ERROR"}) {
    const char* chosen = std::getenv(variable);
    if (chosen && error == chosen) return true;
  }
  return false;
}
#else
constexpr bool mutated(llvm::StringRef) { return false; }
#endif

}  // namespace inspect::pass
