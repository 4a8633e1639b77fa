// From a whole program's LLVM module to a transition system.
//
// Guarantees: every execution of the program in which loops and recursion stay within the bound is one of the system's, up to
// what cannot be told apart; one that goes beyond meets a check of kind unwinding, one that does what is not modelled a check
// of kind unsupported. The assumptions are sequential consistency, signed arithmetic that wraps, calls of pthread that do not
// fail, no spurious wakes.
#pragma once
#include <llvm/IR/Module.h>

#include <string>

#include "base/result.hpp"
#include "symbolic/frontend/program.hpp"

namespace inspect::symbolic {

// The error if the deadline has passed; what was translated until then is worth nothing.
inline constexpr const char* kLate = "time limit reached before the program was translated";

// The error of a module as a whole says what of it is not supported.
Result<System> translate(llvm::Module& module, const FrontendOptions& options);

}  // namespace inspect::symbolic
