// The shape of a function: in which order its blocks come when loops are unrolled, and which values are needed later.
//
// Guarantees: along every edge of the unrolled function the key grows, so that whoever takes the least key first has seen
// everything that comes before it. A function with a cycle that has no single entry has no shape.
#pragma once
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace inspect::symbolic {

using Key = std::vector<int>;
// By loop: its present iteration.
using Iterations = std::map<const llvm::Loop*, int>;

class Shape {
 public:
  explicit Shape(llvm::Function& function);
  [[nodiscard]] bool is_reducible() const { return reducible_; }
  // Appends the place of a block, in the iterations of the loops around it.
  void append_place(const llvm::BasicBlock* block, const Iterations& iterations, Key& key) const;
  // The iterations after an edge; true if it goes back to the head of a loop.
  bool follow(const llvm::BasicBlock* from, const llvm::BasicBlock* to, Iterations& iterations) const;
  // Whether the value may be used at or after instruction number `index` of the block.
  [[nodiscard]] bool is_needed(const llvm::Value* value, const llvm::BasicBlock* block, int index) const;
  [[nodiscard]] bool is_loop_head(const llvm::BasicBlock* block) const { return loops_.isLoopHeader(block); }
  [[nodiscard]] int index_of(const llvm::Instruction* instruction) const { return index_.at(instruction); }

 private:
  void place_region(const llvm::Loop* loop, const std::vector<llvm::BasicBlock*>& blocks, const llvm::BasicBlock* head);
  [[nodiscard]] const llvm::Loop* child_of(const llvm::Loop* loop, const llvm::BasicBlock* block) const;
  void find_reach(llvm::Function& function);
  [[nodiscard]] bool is_defined(const llvm::Value* value, const llvm::BasicBlock* block, int index) const;

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  bool reducible_ = true;
  std::map<const llvm::BasicBlock*, int> block_places_;                         // within the innermost loop
  std::map<const llvm::Loop*, int> loop_places_;                                // within the loop around it
  std::map<const llvm::BasicBlock*, std::set<const llvm::BasicBlock*>> reach_;  // by one edge at least
  std::map<const llvm::Instruction*, int> index_;
};

}  // namespace inspect::symbolic
