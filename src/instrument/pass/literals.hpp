// Compound literals of C, which the front end gives no marks of lifetime: they end with the block that they stand in.
//
// The block is told from the debug information: it is the innermost scope around the code that makes the literal, and it is
// left where control goes to code of another scope that is not the block's own cleanup. A body without braces has no scope; it
// ends where its loop turns.
//
// Guarantees: code of the block itself never comes behind an end. Deliberately unknown here: what ends without control going
// on, by a jump or an exception.
#pragma once
#include <optional>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

namespace inspect::pass {

// Is the object a compound literal?
bool is_literal(const llvm::AllocaInst& object);

struct LiteralLife {
  struct End {
    llvm::Instruction* before;
    llvm::DebugLoc place;
  };
  llvm::Instruction* begin;                                // it begins before this
  llvm::SmallVector<End, 4> ends;                          // it ends before each of these
  llvm::SmallVector<llvm::CallBase*, 2> left_by_jumps_to;  // where a jump arrives that leaves the block
};

// Edges on which the literal ends get a block of their own. Nothing: the block is not known.
std::optional<LiteralLife> life_of_literal(llvm::AllocaInst& object, llvm::ArrayRef<llvm::CallBase*> jump_targets);

}  // namespace inspect::pass
