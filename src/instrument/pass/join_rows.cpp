#include "instrument/pass/join_rows.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include "instrument/pass/hooks.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

constexpr size_t kMostInstructions = 4000;

bool calls(const Instruction& i, StringRef name) {
  const auto* call = dyn_cast<CallBase>(&i);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == name;
}

bool is_join(const Instruction& i) { return calls(i, "pthread_join"); }

// Its result is used as the handle of joins only.
bool feeds_joins(const Value& value) {
  return all_of(value.uses(), [](const Use& use) {
    const auto* user = dyn_cast<Instruction>(use.getUser());
    return user && is_join(*user) && cast<CallBase>(user)->isArgOperand(&use) &&
           cast<CallBase>(user)->getArgOperandNo(&use) == 0;
  });
}

// A stack object that holds handles: written by pthread_create, read for joins, known to nobody else.
bool holds_handles(const Value* address) {
  return all_of(address->uses(), [](const Use& use) {
    const auto* user = cast<Instruction>(use.getUser());
    if (isa<GetElementPtrInst, PHINode, SelectInst>(user))
      return use.getOperandNo() == 0 && isa<GetElementPtrInst>(user) && holds_handles(user);
    if (const auto* store = dyn_cast<StoreInst>(user))  // as it is initialised
      return use.getOperandNo() == StoreInst::getPointerOperandIndex() && isa<Constant>(store->getValueOperand());
    if (isa<LoadInst>(user)) return user->getType()->isIntegerTy(64) && feeds_joins(*user);
    const auto* call = dyn_cast<CallBase>(user);
    if (!call) return false;
    if (const auto* intrinsic = dyn_cast<IntrinsicInst>(call))
      return intrinsic->isLifetimeStartOrEnd() || isa<AnyMemSetInst>(call);
    return is_access_hook(hook_of(*call)) || (calls(*user, "pthread_create") && call->getArgOperandNo(&use) == 0);
  });
}

bool reads_handle(const LoadInst& load) {
  const auto* object = dyn_cast<AllocaInst>(getUnderlyingObject(load.getPointerOperand()));
  return object && holds_handles(object);
}

// Leaves no trace but in locals of the row.
bool is_harmless(const Instruction& i) {
  if (const auto* load = dyn_cast<LoadInst>(&i)) return reads_handle(*load);
  if (const auto* call = dyn_cast<CallBase>(&i)) {
    if (const auto* intrinsic = dyn_cast<IntrinsicInst>(call)) return intrinsic->isAssumeLikeIntrinsic();
    return is_read_hook(hook_of(*call));
  }
  return !i.mayReadOrWriteMemory();
}

// The instructions that control can come to from behind `from`, not passing another join.
SmallPtrSet<const Instruction*, 32> behind(const Instruction& from) {
  SmallPtrSet<const Instruction*, 32> found;
  SmallVector<const Instruction*, 16> left;
  const auto follow = [&](const Instruction& i) {
    if (!i.isTerminator()) return left.push_back(i.getNextNode());
    for (const BasicBlock* next : successors(&i)) left.push_back(&next->front());
  };
  follow(from);
  while (!left.empty() && found.size() < kMostInstructions) {
    const Instruction* i = left.pop_back_val();
    if (found.insert(i).second && !is_join(*i)) follow(*i);
  }
  return found;
}

// Does control come from `from` to a join?
bool leads_to_join(const Instruction& from, SmallPtrSetImpl<const Instruction*>& among) {
  const auto reached = behind(from);
  return any_of(reached, [&](const Instruction* i) { return is_join(*i) && among.contains(i); });
}

}  // namespace

bool is_join_in_row(const CallBase& call) {
  if (!is_join(call) || !call.use_empty() || !isa<ConstantPointerNull>(call.getArgOperand(1))) return false;
  const auto* handle = dyn_cast<LoadInst>(call.getArgOperand(0));
  if (!handle || !reads_handle(*handle) || !feeds_joins(*handle)) return false;
  auto reached = behind(call);
  if (reached.size() >= kMostInstructions) return false;
  for (const Instruction* i : reached)
    if (!is_join(*i) && !is_harmless(*i) && leads_to_join(*i, reached)) return false;
  return true;
}

}  // namespace inspect::pass
