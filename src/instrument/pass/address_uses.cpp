// Where the program can see which address an object has, or which number a thread: the runtime is told, since a program that
// looks is not the same for objects and threads that trade places.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include "instrument/pass/library.hpp"
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

// A difference of two addresses, or whether they are equal.
bool is_relative(const Value& number) {
  return all_of(number.users(), [](const User* user) {
    const auto* operation = dyn_cast<BinaryOperator>(user);
    const auto* comparison = dyn_cast<ICmpInst>(user);
    if (comparison) return comparison->isEquality();
    return operation && operation->getOpcode() == Instruction::Sub && isa<PtrToIntInst>(operation->getOperand(0)) &&
           isa<PtrToIntInst>(operation->getOperand(1));
  });
}

// A thread's handle is compared, or handed to functions that know what it is.
bool is_handle_only(const Value& handle) {
  return all_of(handle.users(), [](const User* user) {
    if (const auto* comparison = dyn_cast<ICmpInst>(user)) return comparison->isEquality();
    const auto* call = dyn_cast<CallBase>(user);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName().starts_with("pthread_");
  });
}

bool tells_thread(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee) return false;
  for (const char* name : {"gettid", "sched_getcpu", "syscall", "pthread_getname_np", "pthread_getattr_np"})
    if (callee->getName() == name) return true;
  return (callee->getName() == "pthread_self" || callee->getName() == "thrd_current") && !is_handle_only(call);
}

}  // namespace

void mark_address_uses(Context& context, Function& function) {
  Constant* none = ConstantPointerNull::get(PointerType::getUnqual(context.module.getContext()));
  Constant* thread = ConstantExpr::getIntToPtr(context.wide(1), none->getType());
  SmallVector<Instruction*, 16> found;
  for (Instruction& i : instructions(function)) {
    const auto* comparison = dyn_cast<ICmpInst>(&i);
    const auto* number = dyn_cast<PtrToIntInst>(&i);
    const auto* call = dyn_cast<CallBase>(&i);
    if ((comparison && !comparison->isEquality() && comparison->getOperand(0)->getType()->isPointerTy()) ||
        (number && number->getPointerAddressSpace() == 0 && !number->getType()->isVectorTy() && !is_relative(*number)) ||
        (call && tells_thread(*call)))
      found.push_back(&i);
  }
  for (Instruction* i : found) {
    IRBuilder<> builder(i);
    const bool call = isa<CallBase>(i);
    context.hooks.call(builder, Hook::inspect_address_used,
                       {call ? none : i->getOperand(0), call               ? thread
                                                        : isa<ICmpInst>(i) ? i->getOperand(1)
                                                                           : none});
  }
}

}  // namespace inspect::pass
