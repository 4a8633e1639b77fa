// Temporaries that the front end gives no marks of lifetime: arguments of class type that are passed by the address of a copy
// in the caller, results that nobody takes, and in C results whose elements are used by their address. They are told from
// variables by the debug information.
//
// Guarantees: a life that is returned begins before each use and ends after the last. Deliberately unknown here: C's compound
// literals (literals.hpp), and temporaries of coroutines.
#pragma once
#include <optional>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include "instrument/pass/blocks.hpp"

namespace inspect::pass {

struct TemporaryLife {
  llvm::Instruction* begin;                    // it begins before this
  llvm::SmallVector<llvm::CallBase*, 4> ends;  // it ends behind each of these
  bool destroyed;                              // by a destructor, however control leaves
};

// For an object without marks of lifetime.
std::optional<TemporaryLife> life_of_temporary(llvm::AllocaInst& object);

// What a function of C returns by value, or a choice between such, whose elements are used by their address.
bool is_result_of_c(const llvm::AllocaInst& object);
std::optional<BlockLife> life_of_result(llvm::AllocaInst& object, llvm::ArrayRef<llvm::CallBase*> jump_targets);

}  // namespace inspect::pass
