#include "instrument/pass/live_values.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace inspect::pass {

bool LiveValues::is_value(const Value* value) {
  const auto* object = dyn_cast<AllocaInst>(value);
  return (isa<Instruction>(value) && !(object && object->isStaticAlloca())) || isa<Argument>(value);
}

bool LiveValues::is_silent(const Instruction& i) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&i);
  return intrinsic && (intrinsic->isLifetimeStartOrEnd() || intrinsic->isAssumeLikeIntrinsic());
}

LiveValues::LiveValues(const Function& function) {
  for (const Argument& argument : function.args()) mark_uses(argument);
  for (const Instruction& i : instructions(function))
    if (is_value(&i)) mark_uses(i);
}

// All of one value at a time, so that the last in a list tells whether the value is in it.
void LiveValues::mark_uses(const Value& value) {
  for (const Use& use : value.uses()) {
    const auto* user = dyn_cast<Instruction>(use.getUser());
    if (!user || is_silent(*user)) continue;
    const auto* phi = dyn_cast<PHINode>(user);
    const BasicBlock* in = phi ? phi->getIncomingBlock(use) : user->getParent();
    if (phi && !mark_end(in, value)) continue;
    mark_before(in, value);
  }
}

// False if it is marked already.
bool LiveValues::mark_end(const BasicBlock* block, const Value& value) {
  auto& end = alive_at_end_[block];
  if (!end.empty() && end.back() == &value) return false;
  end.push_back(&value);
  return true;
}

// Used in this block, so alive where it begins, unless it comes to be in it; and so back to where it comes to be.
void LiveValues::mark_before(const BasicBlock* in, const Value& value) {
  const auto* instruction = dyn_cast<Instruction>(&value);
  const BasicBlock* home = instruction ? instruction->getParent() : &in->getParent()->getEntryBlock();
  SmallVector<const BasicBlock*, 16> left{in};
  while (!left.empty()) {
    const BasicBlock* block = left.pop_back_val();
    if (block == home) continue;
    for (const BasicBlock* before : predecessors(block))
      if (mark_end(before, value)) left.push_back(before);
  }
}

void LiveValues::step_over(const Instruction& i, Set& alive) {
  alive.remove(&i);
  if (isa<PHINode>(i) || is_silent(i)) return;
  for (const Use& operand : i.operands())
    if (is_value(operand)) alive.insert(operand);
}

}  // namespace inspect::pass
