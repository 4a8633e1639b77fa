#include "symbolic/frontend/shape.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <functional>

namespace inspect::symbolic {

Shape::Shape(llvm::Function& function) : dominators_(function), loops_(dominators_) {
  std::vector<llvm::BasicBlock*> blocks;
  for (llvm::BasicBlock& block : function) {
    int index = 0;
    for (llvm::Instruction& i : block) index_[&i] = index++;
    if (dominators_.isReachableFromEntry(&block)) blocks.push_back(&block);
  }
  place_region(nullptr, blocks, &function.getEntryBlock());
  for (llvm::Loop* loop : loops_.getLoopsInPreorder())
    place_region(loop, std::vector<llvm::BasicBlock*>(loop->block_begin(), loop->block_end()), loop->getHeader());
  find_reach(function);
}

// The loop right below `loop` that the block is in; null if it is in `loop` itself.
const llvm::Loop* Shape::child_of(const llvm::Loop* loop, const llvm::BasicBlock* block) const {
  const llvm::Loop* at = loops_.getLoopFor(block);
  const llvm::Loop* child = nullptr;
  while (at != loop) child = at, at = at->getParentLoop();
  return child;
}

// Sorts what lies directly in a loop (or the function) so that edges other than those back to its head go forward.
void Shape::place_region(const llvm::Loop* loop, const std::vector<llvm::BasicBlock*>& blocks, const llvm::BasicBlock* head) {
  using Node = const void*;  // a block, or a loop below
  const std::set<const llvm::BasicBlock*> inside(blocks.begin(), blocks.end());
  const auto node_of = [&](const llvm::BasicBlock* b) -> Node {
    const llvm::Loop* child = child_of(loop, b);
    return child ? static_cast<Node>(child) : static_cast<Node>(b);
  };
  std::map<Node, std::set<Node>> edges;
  for (const llvm::BasicBlock* b : blocks)
    for (const llvm::BasicBlock* s : llvm::successors(b))
      if (inside.contains(s) && s != head && node_of(s) != node_of(b)) edges[node_of(b)].insert(node_of(s));
  std::map<Node, int> state;  // 1: under way, 2: done
  std::vector<Node> order;
  const std::function<void(Node)> visit = [&](Node n) {
    state[n] = 1;
    for (const Node s : edges[n]) {
      if (state[s] == 1) reducible_ = false;
      if (state[s] == 0) visit(s);
    }
    state[n] = 2;
    order.push_back(n);
  };
  visit(node_of(head));
  std::reverse(order.begin(), order.end());
  std::map<Node, int> place;
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<int>(i);
  for (const llvm::BasicBlock* b : blocks) {
    if (const llvm::Loop* child = child_of(loop, b))
      loop_places_[child] = place[child];
    else
      block_places_[b] = place[b];
  }
}

void Shape::append_place(const llvm::BasicBlock* block, const Iterations& iterations, Key& key) const {
  std::vector<const llvm::Loop*> around;
  for (const llvm::Loop* l = loops_.getLoopFor(block); l; l = l->getParentLoop()) around.push_back(l);
  for (auto l = around.rbegin(); l != around.rend(); ++l) {
    key.push_back(loop_places_.at(*l));
    key.push_back(iterations.at(*l));
  }
  key.push_back(block_places_.at(block));
}

bool Shape::follow(const llvm::BasicBlock* from, const llvm::BasicBlock* to, Iterations& iterations) const {
  std::erase_if(iterations, [&](const auto& entry) { return !entry.first->contains(to); });
  const llvm::Loop* const loop = loops_.getLoopFor(to);
  if (!loop || loop->getHeader() != to) return false;
  const bool goes_back = loop->contains(from);
  iterations[loop] = goes_back ? iterations.at(loop) + 1 : 0;
  return goes_back;
}

void Shape::find_reach(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    auto& reached = reach_[&block];
    std::vector<const llvm::BasicBlock*> todo{&block};
    while (!todo.empty()) {
      const llvm::BasicBlock* const b = todo.back();
      todo.pop_back();
      for (const llvm::BasicBlock* s : llvm::successors(b))
        if (reached.insert(s).second) todo.push_back(s);
    }
  }
}

// Who does not come from a value's definition meets it before any use.
bool Shape::is_defined(const llvm::Value* value, const llvm::BasicBlock* block, int index) const {
  const auto* definition = llvm::dyn_cast<llvm::Instruction>(value);
  // The parts of a pair have their values as soon as the pair has.
  if (const auto* const part = llvm::dyn_cast<llvm::ExtractValueInst>(value))
    definition = llvm::dyn_cast<llvm::Instruction>(part->getAggregateOperand());
  if (!definition) return true;
  const llvm::BasicBlock* const at = definition->getParent();
  return at == block ? index_.at(definition) < index : dominators_.dominates(at, block);
}

bool Shape::is_needed(const llvm::Value* value, const llvm::BasicBlock* block, int index) const {
  if (!is_defined(value, block, index)) return false;
  return std::any_of(value->use_begin(), value->use_end(), [&](const llvm::Use& use) {
    const auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
    const llvm::BasicBlock* at = user->getParent();
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) {
      at = phi->getIncomingBlock(use);
      return at == block || reach_.at(block).contains(at);
    }
    return (at == block && index_.at(user) >= index) || reach_.at(block).contains(at);
  });
}

}  // namespace inspect::symbolic
