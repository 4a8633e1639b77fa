// Calls of functions that nobody knows: the runtime is told, and resolves each place once.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include "instrument/pass/library.hpp"
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

// A function whose code this unit does not see and that no table knows.
const Function* unknown_callee(const CallBase& call) {
  const auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  if (!callee || !callee->isDeclaration() || callee->isIntrinsic()) return nullptr;
  return is_library_function(callee->getName()) ? nullptr : callee;
}

GlobalVariable* make_entry(Context& context, const Function& callee, Constant* site) {
  LLVMContext& c = context.module.getContext();
  Type* pointer = PointerType::getUnqual(c);
  auto* type = StructType::get(pointer, pointer, pointer, Type::getInt64Ty(c));
  Constant* fields[] = {const_cast<Function*>(&callee), context.sites.text(callee.getName()), site, context.wide(0)};
  auto* entry = new GlobalVariable(context.module, type, false, GlobalValue::PrivateLinkage, ConstantStruct::get(type, fields),
                                   ".inspect.external");
  entry->setSection("inspect_externals");
  entry->setAlignment(Align(8));
  return entry;
}

}  // namespace

void mark_external_calls(Context& context, Function& function) {
  SmallVector<std::pair<CallBase*, const Function*>, 16> calls;
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<CallBase>(&instruction))
      if (const Function* callee = unknown_callee(*call)) calls.emplace_back(call, callee);
  if (calls.empty()) return;
  Type* wide = Type::getInt64Ty(context.module.getContext());
  MDNode* unlikely = MDBuilder(context.module.getContext()).createUnlikelyBranchWeights();
  for (const auto& [call, callee] : calls) {
    GlobalVariable* entry = make_entry(context, *callee, context.sites.of(*call));
    IRBuilder<> builder(call);
    Value* state = builder.CreateLoad(wide, builder.CreateConstInBoundsGEP2_32(entry->getValueType(), entry, 0, 3));
    Value* unsure = builder.CreateICmpNE(state, ConstantInt::get(wide, 1));
    IRBuilder<> out_of_line(SplitBlockAndInsertIfThen(unsure, call, false, unlikely));
    out_of_line.SetCurrentDebugLocation(call->getDebugLoc());
    context.hooks.call(out_of_line, Hook::inspect_external_call, {entry});
  }
}

}  // namespace inspect::pass
