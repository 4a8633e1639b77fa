#include "instrument/pass/stops.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include "instrument/pass/hooks.hpp"
#include "instrument/pass/library.hpp"
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

// Members of the C++ library that only pass on to a function of the runtime.
bool passes_on(StringRef name) {
  for (const char* prefix : {"_ZNSt18condition_variable4wait", "_ZNSt18condition_variable10notify", "_ZNSt6thread4join",
                             "_ZNSt6thread6detach", "_ZNSt6thread15_M_start_thread", "__cxa_guard_"})
    if (name.starts_with(prefix)) return true;
  return false;
}

bool never_stops(Hook hook) {
  switch (hook) {
    case Hook::inspect_thread_local:
    case Hook::inspect_processor_value:
    case Hook::inspect_lock_all_begin:
    case Hook::inspect_lock_all_end:
    case Hook::inspect_assembly:
    case Hook::inspect_out_of_bounds:
    case Hook::inspect_argument_bounds:
    case Hook::inspect_stack_begin:
    case Hook::inspect_stack_free:
    case Hook::inspect_stack_cut:
    case Hook::inspect_stack_left:
    case Hook::inspect_stack_unknown:
    case Hook::inspect_variable_arguments:
    case Hook::inspect_variable_arguments_end:
    case Hook::inspect_address_used:
      return true;
    default:
      return false;
  }
}

}  // namespace

Stops::Stops(const Module& module) {
  for (const Function& f : module)
    if (f.hasLocalLinkage() && !f.hasAddressTaken()) closed_.insert(&f);
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Function& f : module) {
      if (!is_instrumentable(f) || stopping_.contains(&f)) continue;
      const bool stops = any_of(instructions(f), [&](const Instruction& i) {
        const auto* call = dyn_cast<CallBase>(&i);
        return call && of(*call) != Stop::none;
      });
      if (stops) changed = stopping_.insert(&f).second;
    }
  }
}

Stop Stops::of_unseen(StringRef name) const {
  name.consume_front("\01");
  if (is_own_name(name) || passes_on(name)) return Stop::served;
  if (const LibraryFunction* row = library_function(name)) return row->modelled ? Stop::served : Stop::none;
  if (name.starts_with("__cxa_") || name.starts_with("_Unwind_") || name.starts_with("__gxx_")) return Stop::none;
  return Stop::in_calls;
}

Stop Stops::of(const CallBase& call) const {
  if (call.isInlineAsm() || isa<IntrinsicInst>(call)) return Stop::none;
  if (const Hook hook = hook_of(call); hook != Hook::count) return never_stops(hook) ? Stop::none : Stop::served;
  const auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  if (!callee) return Stop::in_calls;
  if (callee->isDeclaration()) return of_unseen(callee->getName());
  // Another definition may take the place of one that can be interposed.
  if (!is_instrumentable(*callee) || callee->isInterposable() || stopping_.contains(callee)) return Stop::in_calls;
  return Stop::none;
}

}  // namespace inspect::pass
