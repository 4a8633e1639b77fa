// Code that talks to the machine directly: inline assembly, and instructions that read clocks or random numbers.
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include "hooks/assembly.h"
#include "hooks/operation.h"
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

enum class Assembly { harmless, fence, unknown };

// Spellings that spin loops and libraries use; everything else counts as touching memory.
Assembly classify(const InlineAsm& assembly) {
  const std::string text = StringRef(assembly.getAsmString()).trim(" \t\n;").lower();
  return StringSwitch<Assembly>(text)
      .Cases("", "nop", "pause", "rep; nop", "rep;nop", "rep nop", Assembly::harmless)
      .Cases("mfence", "lfence", "sfence", Assembly::fence)
      .Default(Assembly::unknown);
}

bool may_touch_memory(const CallBase& call, const InlineAsm& assembly) {
  if (assembly.hasSideEffects() || call.mayReadOrWriteMemory()) return true;
  for (const InlineAsm::ConstraintInfo& constraint : assembly.ParseConstraints())
    if (constraint.isIndirect || is_contained(constraint.Codes, "{memory}") || is_contained(constraint.Codes, "m")) return true;
  return false;
}

// Time stamps: 0; random numbers: 1 (hooks.def). Negative: something else.
int machine_value(Intrinsic::ID id) {
  switch (id) {
    case Intrinsic::readcyclecounter:
    case Intrinsic::readsteadycounter:
    case Intrinsic::x86_rdtsc:
    case Intrinsic::x86_rdtscp:
      return 0;
    case Intrinsic::x86_rdrand_16:
    case Intrinsic::x86_rdrand_32:
    case Intrinsic::x86_rdrand_64:
    case Intrinsic::x86_rdseed_16:
    case Intrinsic::x86_rdseed_32:
    case Intrinsic::x86_rdseed_64:
      return 1;
    default:
      return -1;
  }
}

// Intrinsics that reach memory by an address and are neither known accesses nor bookkeeping of the compiler.
bool is_opaque_intrinsic(const IntrinsicInst& intrinsic) {
  if (intrinsic.isAssumeLikeIntrinsic() || isa<AnyMemIntrinsic>(intrinsic)) return false;
  switch (intrinsic.getIntrinsicID()) {
    case Intrinsic::masked_load:
    case Intrinsic::masked_store:
    case Intrinsic::masked_gather:
    case Intrinsic::masked_scatter:
    case Intrinsic::masked_expandload:
    case Intrinsic::masked_compressstore:
      return true;
    default:
      break;
  }
  if (!Function::isTargetIntrinsic(intrinsic.getIntrinsicID()) || !intrinsic.mayReadOrWriteMemory()) return false;
  for (const Use& argument : intrinsic.args())
    if (argument->getType()->isPointerTy()) return true;
  return false;
}

class Machine {
 public:
  Machine(Context& context, Function& function) : context_(context), function_(function) {}

  void run() {
    SmallVector<CallBase*, 8> found;
    for (Instruction& instruction : instructions(function_))
      if (auto* call = dyn_cast<CallBase>(&instruction); call && (call->isInlineAsm() || isa<IntrinsicInst>(call)))
        found.push_back(call);
    for (CallBase* call : found) {
      if (call->isInlineAsm())
        mark_assembly(*call);
      else
        mark_intrinsic(cast<IntrinsicInst>(*call));
    }
  }

 private:
  Context& context_;
  Function& function_;

  void mark_assembly(CallBase& call) {
    const auto& assembly = *cast<InlineAsm>(call.getCalledOperand());
    IRBuilder<> builder(&call);
    switch (classify(assembly)) {
      case Assembly::harmless:
        return;
      case Assembly::fence:
        context_.hooks.call(builder, Hook::inspect_fence, {context_.word(INSPECT_SEQ_CST), context_.sites.of(call)});
        return;
      case Assembly::unknown:
        if (may_touch_memory(call, assembly))
          context_.hooks.call(builder, Hook::inspect_assembly,
                              {context_.word(INSPECT_ASSEMBLY_MEMORY), context_.sites.of(call)});
    }
  }

  void mark_intrinsic(IntrinsicInst& intrinsic) {
    if (const int which = machine_value(intrinsic.getIntrinsicID()); which >= 0) return replace(intrinsic, unsigned(which));
    if (!is_opaque_intrinsic(intrinsic)) return;
    IRBuilder<> builder(&intrinsic);
    context_.hooks.call(builder, Hook::inspect_assembly,
                        {context_.word(INSPECT_ASSEMBLY_MEMORY), context_.sites.of(intrinsic)});
  }

  // The intrinsics return an integer, or a pair of it and a word: the processor for a time stamp, success for a random number.
  void replace(IntrinsicInst& intrinsic, unsigned which) {
    IRBuilder<> builder(&intrinsic);
    Value* value = context_.hooks.call(builder, Hook::inspect_machine_value, {context_.word(which)});
    if (auto* pair = dyn_cast<StructType>(intrinsic.getType())) {
      Value* integer = builder.CreateTrunc(value, pair->getElementType(0));
      Value* whole = builder.CreateInsertValue(PoisonValue::get(pair), integer, 0);
      value = builder.CreateInsertValue(whole, ConstantInt::get(pair->getElementType(1), which), 1);
    } else {
      value = builder.CreateTrunc(value, intrinsic.getType());
    }
    intrinsic.replaceAllUsesWith(value);
    intrinsic.eraseFromParent();
  }
};

}  // namespace

void mark_machine_code(Context& context, Function& function) { Machine(context, function).run(); }

}  // namespace inspect::pass
