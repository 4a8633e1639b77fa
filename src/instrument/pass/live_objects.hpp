// Which stack objects hold a value that is still needed, before the instructions of a function.
//
// Guarantees: an object that is left out is written wholly, or its lifetime ends, on every path before it is read again. Told
// of objects that are read and written only as a whole, by direct accesses; of all others it says that they are needed.
// Deliberately unknown here: values (live_values.hpp).
#pragma once
#include <vector>

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace inspect::pass {

class LiveObjects {
 public:
  explicit LiveObjects(const llvm::Function& function);
  // Calls f(instruction, needed before it) for each instruction of the block that `wanted` chooses, from the last to the first.
  template <class Wanted, class F>
  void for_each(const llvm::BasicBlock& block, Wanted&& wanted, F&& f) const;
  [[nodiscard]] bool is_needed(const llvm::AllocaInst* object, const llvm::BitVector& needed) const;

 private:
  void find_objects(const llvm::Function& function);
  void solve(const llvm::Function& function);
  [[nodiscard]] llvm::BitVector at_end(const llvm::BasicBlock& block) const;
  void step_over(const llvm::Instruction& i, llvm::BitVector& needed) const;

  llvm::DenseMap<const llvm::Value*, unsigned> number_;  // of the objects told of
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> at_begin_;
};

template <class Wanted, class F>
void LiveObjects::for_each(const llvm::BasicBlock& block, Wanted&& wanted, F&& f) const {
  llvm::BitVector needed = at_end(block);
  for (const llvm::Instruction& i : llvm::reverse(block)) {
    step_over(i, needed);
    if (wanted(i)) f(i, needed);
  }
}

}  // namespace inspect::pass
