#include "instrument/pass/begun_objects.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include "instrument/pass/hooks.hpp"

using namespace llvm;

namespace inspect::pass {
namespace {

struct Mark {
  const AllocaInst* object = nullptr;
  bool begins = false;
};

// The begin or end of an object that is marked there, if any.
Mark mark_at(const Instruction& instruction) {
  const auto* const call = dyn_cast<CallBase>(&instruction);
  if (!call) return {};
  if (instruction.isLifetimeStartOrEnd())
    return {dyn_cast<AllocaInst>(call->getArgOperand(1)->stripPointerCasts()),
            cast<IntrinsicInst>(call)->getIntrinsicID() == Intrinsic::lifetime_start};
  const Hook hook = hook_of(*call);
  if (!is_life_hook(hook)) return {};
  return {dyn_cast<AllocaInst>(call->getArgOperand(0)->stripPointerCasts()), hook == Hook::inspect_stack_begin};
}

}  // namespace

BegunObjects::BegunObjects(Function& function) {
  for (const Instruction& instruction : instructions(function))
    if (const Mark mark = mark_at(instruction); mark.object && mark.begins) number_.try_emplace(mark.object, number_.size());
  if (number_.empty()) return;
  for (const BasicBlock& block : function) at_begin_[&block] = BitVector(number_.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock* block : ReversePostOrderTraversal<Function*>(&function)) {
      BitVector begun = at_begin_[block];
      for (const Instruction& instruction : *block) step_over(instruction, begun);
      for (const BasicBlock* next : successors(block)) {
        BitVector& before = at_begin_[next];
        if (!begun.test(before)) continue;
        before |= begun;
        changed = true;
      }
    }
  }
}

bool BegunObjects::may_be_alive(const Value* object, const BasicBlock& block) const {
  const auto number = number_.find(object);
  const auto begun = at_begin_.find(&block);
  return number == number_.end() || begun == at_begin_.end() || begun->second.test(number->second);
}

void BegunObjects::step_over(const Instruction& instruction, BitVector& begun) const {
  const Mark mark = mark_at(instruction);
  const auto number = mark.object ? number_.find(mark.object) : number_.end();
  if (number == number_.end()) return;
  if (mark.begins)
    begun.set(number->second);
  else
    begun.reset(number->second);
}

}  // namespace inspect::pass
