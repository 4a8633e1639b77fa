#include "instrument/pass/escape.hpp"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include "instrument/pass/hooks.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

constexpr unsigned kMaxUses = 200;

class Tracker : public CaptureTracker {
 public:
  bool escaped = false;
  void tooManyUses() override { escaped = true; }
  bool captured(const Use* use) override {
    const auto* call = dyn_cast<CallBase>(use->getUser());
    if (call && call->isArgOperand(use) && call->getArgOperandNo(use) == 0 && is_access_hook(hook_of(*call))) return false;
    return escaped = true;
  }
};

}  // namespace

bool is_stack_object(const Value* value) {
  if (isa<AllocaInst>(value)) return true;
  const auto* argument = dyn_cast<Argument>(value);
  return argument && argument->hasByValAttr();
}

bool is_constant_memory(const Value* address) {
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(address, objects, nullptr, 0);
  return all_of(objects, [](const Value* object) {
    const auto* global = dyn_cast<GlobalVariable>(object);
    return isa<Function>(object) || (global && global->isConstant());
  });
}

bool Escape::escapes(const Value* object) {
  const auto [entry, inserted] = escapes_.try_emplace(object, true);
  if (!inserted) return entry->second;
  Tracker tracker;
  PointerMayBeCaptured(object, &tracker, kMaxUses);
  return escapes_[object] = tracker.escaped;
}

bool Escape::is_local(const Value* address) {
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(address, objects, nullptr, 0);
  for (const Value* object : objects)
    if (!is_stack_object(object) || escapes(object)) return false;
  return !objects.empty();
}

}  // namespace inspect::pass
