// What remains to be done once the optimiser has inlined and simplified: fewer hooks, inlining chains.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include "instrument/pass/frames.hpp"
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

// Calls that neither synchronise nor touch the program's memory.
bool is_transparent(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call) return !instruction.isAtomic();
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(call)) {
    if (intrinsic->isAssumeLikeIntrinsic() || intrinsic->isLifetimeStartOrEnd() || isa<AnyMemIntrinsic>(intrinsic)) return true;
  }
  return call->doesNotAccessMemory() && call->doesNotThrow();
}

// Bytes already reported in a block, by address; and after which of its hooks the write was.
struct Seen {
  uint64_t read = 0, written = 0;
  unsigned hooks = 0;
};

// Where states are hashed, a write is told again behind another hook, at which there may be a state.
bool is_redundant(DenseMap<const Value*, Seen>& seen, const CallBase& call, Hook hook, unsigned hooks) {
  const std::optional<uint64_t> size = access_size(call, hook);
  if (!size) return false;
  Seen& entry = seen[call.getArgOperand(0)];
  if (is_read_hook(hook)) {
    if (std::max(entry.read, entry.written) >= *size) return true;
    entry.read = *size;
    return false;
  }
  if (entry.written >= *size && (!wants_frames() || entry.hooks == hooks)) return true;
  entry.written = *size;
  entry.hooks = hooks + 1;
  return false;
}

// Each access of a volatile object stands for itself: another thread's may come between two of them.
bool is_of_volatile(const CallBase& call) {
  const Value* const address = call.getArgOperand(0);
  for (const Instruction* next = call.getNextNode(); next && !isa<CallBase>(next); next = next->getNextNode())
    if (getLoadStorePointerOperand(next) == address) return next->isVolatile();
  return false;
}

}  // namespace

void drop_redundant_hooks(Function& function) {
  DenseMap<const Value*, Seen> seen;
  unsigned hooks = 0;  // that are left
  for (BasicBlock& block : function) {
    seen.clear();
    for (Instruction& instruction : make_early_inc_range(block)) {
      auto* call = dyn_cast<CallBase>(&instruction);
      const Hook hook = call ? hook_of(*call) : Hook::count;
      if (!is_life_hook(hook) && hook != Hook::inspect_read_string && is_access_hook(hook)) {
        if (is_redundant(seen, *call, hook, hooks) && !is_of_volatile(*call))
          call->eraseFromParent();
        else
          ++hooks;
      } else if (!is_transparent(instruction)) {
        seen.clear();
      }
    }
  }
}

void mark_unused_results(Function& function) {
  constexpr unsigned kUnused = 4;
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<CallBase>(&instruction); call && call->use_empty() && hook_of(*call) == Hook::inspect_atomic_rmw)
      call->setArgOperand(kUnused, ConstantInt::get(call->getArgOperand(kUnused)->getType(), 1));
}

void complete_sites(Context& context, Function& function) {
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (!call || hook_of(*call) == Hook::count || call->arg_empty()) continue;
    const DILocation* location = call->getDebugLoc().get();
    const unsigned last = call->arg_size() - 1;
    if (location && location->getInlinedAt() && Sites::is_site(call->getArgOperand(last))) {
      auto* site = cast<GlobalVariable>(call->getArgOperand(last));
      if (!site->getInitializer()->getAggregateElement(3u)->isNullValue()) continue;  // made after inlining: complete
      call->setArgOperand(last, context.sites.inlined(site, location->getInlinedAt()));
    }
  }
}

}  // namespace inspect::pass
