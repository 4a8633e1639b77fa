// Variables of a block that the front end gives no marks of lifetime, since a jump may enter the block behind the declaration:
// they live while control is in the block, as C has it, from their first use on.
//
// Guarantees: code of the block never comes behind an end that no begin follows. Deliberately unknown here: in C++ such a
// variable begins anew where a jump goes back past its declaration.
#pragma once
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include "instrument/pass/blocks.hpp"

namespace inspect::pass {

// The variables of the source that live in the object.
llvm::SmallVector<const llvm::DILocalVariable*, 2> variables_in(const llvm::AllocaInst& object);

// What a function returns outlives its block, though a variable may live there.
bool is_returned(const llvm::AllocaInst& object);

// Where an object without marks of lifetime lives: in a block, else in the whole function; or that is not known.
struct Extent {
  const llvm::DILocalScope* block = nullptr;
  bool unknown = false;
};
Extent extent_of_variable(const llvm::AllocaInst& object);

BlockLife life_in_block(llvm::AllocaInst& object, const llvm::DILocalScope& scope,
                        llvm::ArrayRef<llvm::CallBase*> jump_targets);

}  // namespace inspect::pass
