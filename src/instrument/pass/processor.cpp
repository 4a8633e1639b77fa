// Code that talks to the machine directly: inline assembly, and instructions that read clocks or random numbers.
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include "hooks/assembly.h"
#include "hooks/operation.h"
#include "instrument/pass/assembly.hpp"
#include "instrument/pass/names.hpp"
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

unsigned kind_of(Nature nature) {
  switch (nature) {
    case Nature::loop:
      return INSPECT_ASSEMBLY_LOOP;
    case Nature::system_call:
      return INSPECT_ASSEMBLY_SYSTEM_CALL;
    case Nature::thread:
      return INSPECT_ASSEMBLY_THREAD;
    default:
      return INSPECT_ASSEMBLY_MEMORY;
  }
}

// Operands that the assembly is said to touch, by the pointers that it is given.
struct Touched {
  uint64_t size = 0;
  bool read = false, written = false;
};

SmallMapVector<Value*, Touched, 4> touched_operands(const CallBase& call) {
  SmallMapVector<Value*, Touched, 4> touched;
  unsigned passed = 0;
  for (const InlineAsm::ConstraintInfo& constraint : cast<InlineAsm>(call.getCalledOperand())->ParseConstraints()) {
    if (!constraint.hasArg()) continue;
    const unsigned number = passed++;
    if (!constraint.isIndirect) continue;
    Touched& operand = touched[call.getArgOperand(number)];
    operand.size = call.getDataLayout().getTypeStoreSize(call.getParamElementType(number)).getFixedValue();
    (constraint.Type == InlineAsm::isOutput ? operand.written : operand.read) = true;
  }
  return touched;
}

// Time stamps: 0; random numbers: 1 (hooks.def). Negative: something else.
int processor_value(Intrinsic::ID id) {
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

class UnknownInstructions {
 public:
  UnknownInstructions(Context& context, Function& function) : context_(context), function_(function) {}

  void run() {
    SmallVector<CallBase*, 8> found;
    SmallVector<Instruction*, 4> in_segments;
    for (Instruction& instruction : instructions(function_)) {
      const Value* address = getLoadStorePointerOperand(&instruction);
      const unsigned space = address ? address->getType()->getPointerAddressSpace() : 0;
      if (space == 256 || space == 257) in_segments.push_back(&instruction);
    }
    for (Instruction* instruction : in_segments) mark_segment_access(*instruction);
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

  // The operands that it is said to touch are points where others may come in; what it does there is not known.
  void mark_assembly(CallBase& call) {
    const Nature nature = nature_of(call, parse_assembly(*cast<InlineAsm>(call.getCalledOperand())));
    if (nature == Nature::harmless || is_known(call)) return;
    IRBuilder<> builder(&call);
    for (const auto& [pointer, operand] : touched_operands(call)) {
      if (operand.size > 16 || operand.size == 0 || !isPowerOf2_64(operand.size)) continue;
      const inspect_kind kind = !operand.written ? INSPECT_OP_AtomicLoad
                                : operand.read   ? INSPECT_OP_AtomicRmw
                                                 : INSPECT_OP_AtomicStore;
      context_.hooks.call(builder, Hook::inspect_atomic_point,
                          {pointer, context_.word(operand.size), context_.word(INSPECT_SEQ_CST), context_.word(kind),
                           context_.sites.of(call, source_expression(pointer, operand.size, context_.layout))});
    }
    context_.hooks.call(builder, Hook::inspect_assembly, {context_.word(kind_of(nature)), context_.sites.of(call)});
  }

  void mark_intrinsic(IntrinsicInst& intrinsic) {
    if (const int which = processor_value(intrinsic.getIntrinsicID()); which >= 0) return replace(intrinsic, unsigned(which));
    if (intrinsic.getIntrinsicID() == Intrinsic::thread_pointer || intrinsic.getIntrinsicID() == Intrinsic::x86_rdfsbase_64)
      return replace_thread_pointer(intrinsic);
    if (!is_opaque_intrinsic(intrinsic) || mark_masked(context_, intrinsic)) return;
    IRBuilder<> builder(&intrinsic);
    context_.hooks.call(builder, Hook::inspect_assembly,
                        {context_.word(INSPECT_ASSEMBLY_MEMORY), context_.sites.of(intrinsic)});
  }

  // The thread's own block, as pthread_self has it: threads share the register.
  void replace_thread_pointer(Instruction& instruction) {
    IRBuilder<> builder(&instruction);
    Value* self = builder.CreateCall(context_.module.getOrInsertFunction("pthread_self", builder.getInt64Ty()));
    Type* const type = instruction.getType();
    self = self->getType()->isPointerTy() ? builder.CreatePtrToInt(self, builder.getInt64Ty()) : self;
    instruction.replaceAllUsesWith(type->isPointerTy() ? builder.CreateIntToPtr(self, type) : self);
    instruction.eraseFromParent();
  }

  // Memory relative to %gs (256) and %fs (257): the thread's own address is known, the rest is not.
  void mark_segment_access(Instruction& instruction) {
    constexpr unsigned kFs = 257;
    Value* const address = getLoadStorePointerOperand(&instruction);
    const auto* load = dyn_cast<LoadInst>(&instruction);
    uint64_t offset = isa<ConstantPointerNull>(address) ? 0 : 1;
    if (const auto* cast = dyn_cast<ConstantExpr>(address); cast && cast->getOpcode() == Instruction::IntToPtr)
      if (const auto* number = dyn_cast<ConstantInt>(cast->getOperand(0))) offset = number->getZExtValue();
    const bool is_word = load && (load->getType()->isPointerTy() || load->getType()->isIntegerTy(64));
    if (is_word && address->getType()->getPointerAddressSpace() == kFs && (offset == 0 || offset == 16))
      return replace_thread_pointer(instruction);
    IRBuilder<> builder(&instruction);
    context_.hooks.call(builder, Hook::inspect_assembly,
                        {context_.word(INSPECT_ASSEMBLY_THREAD), context_.sites.of(instruction)});
  }

  // The intrinsics return an integer, or a pair of it and a word: the processor for a time stamp, success for a random number.
  void replace(IntrinsicInst& intrinsic, unsigned which) {
    IRBuilder<> builder(&intrinsic);
    Value* value = context_.hooks.call(builder, Hook::inspect_processor_value, {context_.word(which)});
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

void lift_all_assembly(Context& context, Function& function) {
  SmallVector<CallBase*, 8> found;
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<CallBase>(&instruction); call && call->isInlineAsm()) found.push_back(call);
  for (CallBase* call : found) {
    const auto statements = parse_assembly(*cast<InlineAsm>(call->getCalledOperand()));
    if (statements && (nature_of(*call, statements) != Nature::harmless || has_jumps(*statements)))
      lift_assembly(context, *call, *statements);
  }
}

void mark_unknown_instructions(Context& context, Function& function) { UnknownInstructions(context, function).run(); }

}  // namespace inspect::pass
