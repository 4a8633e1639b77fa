// Which stack objects may have begun, and not ended, where a block begins.
//
// An object of a block within a loop ends with each turn: what is left of it at the head of the loop is nothing that the loop
// carries. Its life is what the front end says (llvm.lifetime) or, of an object that others may know, what the hooks tell of.
// Guarantees: an object whose begin or end is not known counts as begun.
#pragma once
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

namespace inspect::pass {

class BegunObjects {
 public:
  explicit BegunObjects(llvm::Function& function);
  // At the begin of a block of the function as it was.
  bool may_be_alive(const llvm::Value* object, const llvm::BasicBlock& block) const;

 private:
  llvm::DenseMap<const llvm::Value*, unsigned> number_;  // of those whose begins are known
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> at_begin_;

  void step_over(const llvm::Instruction& instruction, llvm::BitVector& begun) const;
};

}  // namespace inspect::pass
