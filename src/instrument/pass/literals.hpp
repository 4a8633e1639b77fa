// Compound literals of C, which the front end gives no marks of lifetime: they end with the block that they stand in.
//
// The block is the innermost scope around the code that makes the literal. A body without braces has no scope; it ends where
// its loop turns.
//
// Guarantees: code of the block itself never comes behind an end. Deliberately unknown here: what ends without control going
// on, by a jump or an exception.
#pragma once
#include <optional>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include "instrument/pass/blocks.hpp"

namespace inspect::pass {

// Is the object a compound literal?
bool is_literal(const llvm::AllocaInst& object);

// It begins where it is made, each time. Nothing: the block is not known.
std::optional<BlockLife> life_of_literal(llvm::AllocaInst& object, llvm::ArrayRef<llvm::CallBase*> jump_targets);

}  // namespace inspect::pass
