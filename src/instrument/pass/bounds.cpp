// Accesses beyond an object whose size is known where it is accessed by name: global and local variables, arrays of variable
// length, arguments passed by value. (The runtime keeps objects of the heap apart; these lie side by side.)
//
// Only whole objects count: from one member of a structure into the next is not told. An object of a section of its own may be
// one of several that are walked as an array.
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include "instrument/pass/escape.hpp"
#include "instrument/pass/library.hpp"
#include "instrument/pass/names.hpp"
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

// Calls whose first argument is an object of that size.
constexpr std::pair<StringLiteral, unsigned> kSynchronisation[] = {{"pthread_mutex_", sizeof(pthread_mutex_t)},
                                                                   {"pthread_cond_", sizeof(pthread_cond_t)},
                                                                   {"pthread_rwlock_", sizeof(pthread_rwlock_t)},
                                                                   {"pthread_spin_", sizeof(pthread_spinlock_t)},
                                                                   {"pthread_barrier_", sizeof(pthread_barrier_t)},
                                                                   {"sem_init", sizeof(sem_t)},
                                                                   {"sem_destroy", sizeof(sem_t)},
                                                                   {"sem_wait", sizeof(sem_t)},
                                                                   {"sem_trywait", sizeof(sem_t)},
                                                                   {"sem_timedwait", sizeof(sem_t)},
                                                                   {"sem_clockwait", sizeof(sem_t)},
                                                                   {"sem_post", sizeof(sem_t)},
                                                                   {"sem_getvalue", sizeof(sem_t)},
                                                                   {"mtx_", sizeof(mtx_t)},
                                                                   {"cnd_", sizeof(cnd_t)}};

struct Access {
  Instruction* instruction;
  Value* address;
  Value* size;                 // bytes, 64 bits
  Function* callee = nullptr;  // by a function of this name, if it is the library's
};

class Checker {
 public:
  Checker(Context& context, Function& function) : context_(context), function_(function) {}

  void check_instructions() {
    for (Instruction& instruction : instructions(function_)) add(instruction);
    check();
  }

  void check_library_calls() {
    SmallVector<CallBase*, 8> texts, acts;
    for (Instruction& instruction : instructions(function_)) {
      auto* call = dyn_cast<CallBase>(&instruction);
      const Hook hook = call ? hook_of(*call) : Hook::count;
      if (hook == Hook::inspect_read_range || hook == Hook::inspect_write_range)
        found_.push_back({call, call->getArgOperand(0), call->getArgOperand(1)});
      else if (hook == Hook::inspect_read_string)
        texts.push_back(call);
      else if (hook == Hook::inspect_act)
        acts.push_back(call);
      else if (call && hook == Hook::count)
        add_synchronisation(*call);
    }
    for (CallBase* text : texts) add_text(*text);
    for (CallBase* act : acts) give_bounds(*act);
    check();
  }

 private:
  Context& context_;
  Function& function_;
  SmallVector<Access, 64> found_;

  void add(Instruction& instruction) {
    if (auto* transfer = dyn_cast<AnyMemTransferInst>(&instruction))
      found_.push_back({transfer, transfer->getRawSource(), wide(*transfer, transfer->getLength())});
    if (auto* memory = dyn_cast<AnyMemIntrinsic>(&instruction))
      found_.push_back({memory, memory->getRawDest(), wide(*memory, memory->getLength())});
    if (Value* address = getLoadStorePointerOperand(&instruction)) add(instruction, address, getLoadStoreType(&instruction));
    if (auto* exchange = dyn_cast<AtomicRMWInst>(&instruction))
      add(instruction, exchange->getPointerOperand(), exchange->getValOperand()->getType());
    if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      add(instruction, exchange->getPointerOperand(), exchange->getNewValOperand()->getType());
  }

  void add(Instruction& instruction, Value* address, Type* type) {
    const TypeSize size = context_.layout.getTypeStoreSize(type);
    if (!size.isScalable()) found_.push_back({&instruction, address, context_.wide(size.getFixedValue())});
  }

  // A text ends within its variable. How long it is the runtime counts.
  void add_text(CallBase& hook) {
    Value* text = hook.getArgOperand(0);
    IRBuilder<> builder(&hook);
    Value* object = object_of(text);
    if (!object || !size_of(builder, *object)) return;
    Value* size = context_.hooks.call(builder, Hook::inspect_text_size,
                                      {text, hook.getArgOperand(1), context_.word(1), context_.sites.of(hook)});
    found_.push_back({&hook, text, size});
  }

  // Objects of synchronisation, whose size their type says.
  void add_synchronisation(CallBase& call) {
    Function* callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration()) return;
    for (const auto& [prefix, size] : kSynchronisation)
      if (callee->getName().starts_with(prefix) && call.arg_size() > 0 && call.getArgOperand(0)->getType()->isPointerTy())
        found_.push_back({&call, call.getArgOperand(0), context_.wide(size), callee});
  }

  // What an action touches is known as it happens: the runtime compares.
  void give_bounds(CallBase& act) {
    for (Value* word : drop_begin(act.args())) {
      auto* converted = dyn_cast<PtrToIntOperator>(word);
      Value* pointer = converted ? converted->getPointerOperand() : nullptr;
      if (!pointer || pointer->getType()->getPointerAddressSpace() != 0 || is_constant_memory(pointer)) continue;
      IRBuilder<> builder(&act);
      Value* object = object_of(pointer);
      Value* size = object ? size_of(builder, *object) : nullptr;
      if (!size) continue;
      CallInst* hook = context_.hooks.call(builder, Hook::inspect_argument_bounds,
                                           {word, builder.CreateSub(word, offset_of(builder, pointer)), size,
                                            context_.sites.of(act, source_expression(object, 0, context_.layout))});
      keep_with(*hook, act);
    }
  }

  Value* wide(Instruction& at, Value* length) {
    IRBuilder<> builder(&at);
    return builder.CreateZExtOrTrunc(length, builder.getInt64Ty());
  }

  void check() {
    for (const Access& access : found_) check(access);
  }

  // Null: not known.
  Value* size_of(IRBuilder<>& builder, Value& object) {
    if (auto* variable = dyn_cast<GlobalVariable>(&object)) {
      const bool known = variable->hasInitializer() && !variable->isInterposable() && !variable->hasSection();
      return known ? context_.wide(context_.layout.getTypeAllocSize(variable->getValueType())) : nullptr;
    }
    if (auto* argument = dyn_cast<Argument>(&object))
      return argument->hasByValAttr() ? context_.wide(context_.layout.getTypeAllocSize(argument->getParamByValType()))
                                      : nullptr;
    auto* local = dyn_cast<AllocaInst>(&object);
    if (!local || local->getAllocatedType()->isScalableTy()) return nullptr;
    Value* count = builder.CreateZExtOrTrunc(local->getArraySize(), builder.getInt64Ty());
    return builder.CreateMul(count, context_.wide(context_.layout.getTypeAllocSize(local->getAllocatedType())));
  }

  // What the address is made from, step by step. Of a thread-local variable an instruction finds the thread's copy.
  static Value* object_of(Value* address) {
    while (auto* step = dyn_cast<GEPOperator>(address)) {
      if (step->getType()->isVectorTy()) return nullptr;
      address = step->getPointerOperand();
    }
    const auto* found = dyn_cast<IntrinsicInst>(address);
    return found && found->getIntrinsicID() == Intrinsic::threadlocal_address ? found->getArgOperand(0) : address;
  }

  // How far into its object the address lies.
  Value* offset_of(IRBuilder<>& builder, Value* address) {
    Value* offset = context_.wide(0);
    for (; auto* step = dyn_cast<GEPOperator>(address); address = step->getPointerOperand())
      offset = builder.CreateAdd(offset, emitGEPOffset(&builder, context_.layout, step, true));
    return offset;
  }

  void check(const Access& access) {
    if (access.address->getType()->getPointerAddressSpace() != 0) return;
    IRBuilder<> builder(access.instruction);
    Value* object = object_of(access.address);
    Value* limit = object ? size_of(builder, *object) : nullptr;
    if (!limit) return;
    Value* offset = offset_of(builder, access.address);
    // offset + size <= limit, without a sum that wraps.
    Value* beyond = builder.CreateICmpUGT(offset, limit);
    Value* room = builder.CreateSub(limit, offset);
    Value* outside = builder.CreateOr(beyond, builder.CreateICmpULT(room, access.size));
    Value* touched = builder.CreateICmpNE(access.size, context_.wide(0));
    outside = builder.CreateAnd(touched, outside);
    if (auto* known = dyn_cast<Constant>(outside); known && known->isZeroValue()) return;
    if (access.callee && program_may_define(access.callee->getName())) {
      Value* owner = owner_of(builder, library_use(context_.module, *access.callee));
      outside = builder.CreateAnd(outside, builder.CreateIsNull(owner));
    }
    const std::string name = source_expression(object, 0, context_.layout);
    MDNode* unlikely = MDBuilder(function_.getContext()).createUnlikelyBranchWeights();
    Instruction* then = SplitBlockAndInsertIfThen(outside, access.instruction, false, unlikely);
    IRBuilder<> out_of_line(then);
    out_of_line.SetCurrentDebugLocation(access.instruction->getDebugLoc());
    context_.hooks.call(out_of_line, Hook::inspect_out_of_bounds,
                        {offset, access.size, limit, context_.sites.of(*access.instruction, name)});
  }
};

}  // namespace

void check_bounds(Context& context, Function& function) { Checker(context, function).check_instructions(); }

void check_bounds_of_calls(Context& context, Function& function) { Checker(context, function).check_library_calls(); }

}  // namespace inspect::pass
