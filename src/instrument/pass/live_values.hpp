// Which values of a function are alive before and after its instructions.
//
// Guarantees: exact for the control flow (a value is alive if some path from there uses it); time is proportional to the sum of
// the live ranges. Stack objects are not values here: their addresses are constants of the activation.
// Deliberately unknown here: memory.
#pragma once
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Function.h>

namespace inspect::pass {

class LiveValues {
 public:
  using Set = llvm::SmallSetVector<const llvm::Value*, 32>;

  explicit LiveValues(const llvm::Function& function);
  // Calls f(instruction, alive before it, alive behind it without its own result) for each instruction of the block that
  // `wanted` chooses.
  template <class Wanted, class F>
  void for_each(const llvm::BasicBlock& block, Wanted&& wanted, F&& f) const;

  static bool is_value(const llvm::Value* value);

 private:
  void mark_uses(const llvm::Value& value);
  bool mark_end(const llvm::BasicBlock* block, const llvm::Value& value);
  void mark_before(const llvm::BasicBlock* in, const llvm::Value& value);
  static bool is_silent(const llvm::Instruction& i);
  static void step_over(const llvm::Instruction& i, Set& alive);

  llvm::DenseMap<const llvm::BasicBlock*, std::vector<const llvm::Value*>> alive_at_end_;
};

template <class Wanted, class F>
void LiveValues::for_each(const llvm::BasicBlock& block, Wanted&& wanted, F&& f) const {
  Set alive;
  if (const auto at = alive_at_end_.find(&block); at != alive_at_end_.end())
    for (const llvm::Value* value : at->second) alive.insert(value);
  for (const llvm::Instruction& i : llvm::reverse(block)) {
    if (!wanted(i)) {
      step_over(i, alive);
      continue;
    }
    alive.remove(&i);
    const Set after = alive;
    step_over(i, alive);
    f(i, alive, after);
  }
}

}  // namespace inspect::pass
