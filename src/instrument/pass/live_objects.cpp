#include "instrument/pass/live_objects.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace inspect::pass {
namespace {

// Do loads and stores of the whole object, and the marks of its lifetime, make up all its uses?
bool is_used_whole(const AllocaInst& object, const DataLayout& layout) {
  const auto size = object.getAllocationSize(layout);
  if (!object.isStaticAlloca() || !size || size->isScalable()) return false;
  return all_of(object.users(), [&](const User* user) {
    if (const auto* load = dyn_cast<LoadInst>(user)) return layout.getTypeStoreSize(load->getType()) == *size;
    if (const auto* store = dyn_cast<StoreInst>(user))
      return store->getValueOperand() != &object && layout.getTypeStoreSize(store->getValueOperand()->getType()) == *size;
    return cast<Instruction>(user)->isLifetimeStartOrEnd();
  });
}

}  // namespace

LiveObjects::LiveObjects(const Function& function) {
  find_objects(function);
  solve(function);
}

void LiveObjects::find_objects(const Function& function) {
  const DataLayout& layout = function.getParent()->getDataLayout();
  for (const Instruction& i : function.getEntryBlock())
    if (const auto* object = dyn_cast<AllocaInst>(&i); object && is_used_whole(*object, layout))
      number_[object] = number_.size();
}

bool LiveObjects::is_needed(const AllocaInst* object, const BitVector& needed) const {
  const auto at = number_.find(object);
  return at == number_.end() || needed.test(at->second);
}

// To the least fixed point; in post-order a block comes behind its successors but for loops.
void LiveObjects::solve(const Function& function) {
  for (const BasicBlock& block : function) at_begin_[&block] = BitVector(number_.size());
  for (bool changed = !number_.empty(); changed;) {
    changed = false;
    for (const BasicBlock* block : post_order(&function)) {
      BitVector needed = at_end(*block);
      for (const Instruction& i : reverse(*block)) step_over(i, needed);
      if (BitVector& before = at_begin_[block]; before != needed) {
        before = std::move(needed);
        changed = true;
      }
    }
  }
}

BitVector LiveObjects::at_end(const BasicBlock& block) const {
  BitVector needed(number_.size());
  for (const BasicBlock* next : successors(&block)) needed |= at_begin_.find(next)->second;
  return needed;
}

void LiveObjects::step_over(const Instruction& i, BitVector& needed) const {
  const auto number = [&](const Value* object) { return number_.find(object); };
  if (const auto* load = dyn_cast<LoadInst>(&i)) {
    if (const auto at = number(load->getPointerOperand()); at != number_.end()) needed.set(at->second);
  } else if (const auto* store = dyn_cast<StoreInst>(&i)) {
    if (const auto at = number(store->getPointerOperand()); at != number_.end()) needed.reset(at->second);
  } else if (i.isLifetimeStartOrEnd()) {
    if (const auto at = number(i.getOperand(1)); at != number_.end()) needed.reset(at->second);
  }
}

}  // namespace inspect::pass
