// Calls of functions that no table describes and whose code is not seen: the runtime is told, and resolves each place once.
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include "hooks/site.h"
#include "instrument/pass/library.hpp"
#include "instrument/pass/names.hpp"
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

// A function whose code this unit does not see and that no table knows, or that consists of assembly.
const Function* unknown_callee(const CallBase& call) {
  const auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  if (!callee || callee->isIntrinsic()) return nullptr;
  if (callee->hasFnAttribute(Attribute::Naked)) return callee;
  if (!callee->isDeclaration()) return nullptr;
  return is_library_function(callee->getName()) ? nullptr : callee;
}

// By the look of it; good for a name only.
bool is_virtual_call(const CallBase& call) {
  const auto* slot = dyn_cast<LoadInst>(call.getCalledOperand());
  const auto* table = slot ? dyn_cast<LoadInst>(slot->getPointerOperand()->stripInBoundsConstantOffsets()) : nullptr;
  if (!table) return false;
  if (const MDNode* tag = table->getMetadata(LLVMContext::MD_tbaa)) return tag->isTBAAVtableAccess();
  return call.arg_size() > 0 && call.paramHasAttr(0, Attribute::NonNull) && call.getFunction()->hasOptNone();
}

// A function with a row, but which the program may define itself.
Function* doubtful_callee(const CallBase& call) {
  auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  if (!callee || callee->isIntrinsic() || !callee->isDeclaration()) return nullptr;
  return library_function(callee->getName()) && program_may_define(callee->getName()) ? callee : nullptr;
}

// The functions that a library function is given to call.
SmallVector<Value*, 2> callbacks_of(const CallBase& call) {
  SmallVector<Value*, 2> found;
  const auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  if (!callee || !callee->isDeclaration()) return found;
  const LibraryFunction* row = library_function(callee->getName());
  for (unsigned i = 0; row && i < call.arg_size(); ++i)
    if (Value* function = call.getArgOperand(i);
        row->callbacks >> i & 1 && function->getType()->isPointerTy() && !isa<ConstantPointerNull>(function))
      found.push_back(function);
  return found;
}

class ExternalCalls {
 public:
  ExternalCalls(Context& context, Function& function) : context_(context), function_(function) {
    LLVMContext& c = context.module.getContext();
    pointer_ = PointerType::getUnqual(c);
    wide_ = Type::getInt64Ty(c);
    type_ = StructType::get(pointer_, pointer_, pointer_, wide_);
    unlikely_ = MDBuilder(c).createUnlikelyBranchWeights();
  }

  void run() {
    SmallVector<CallBase*, 16> direct, indirect, by_name, by_library;
    for (Instruction& instruction : instructions(function_)) {
      auto* call = dyn_cast<CallBase>(&instruction);
      if (!call || call->isInlineAsm()) continue;
      if (unknown_callee(*call))
        direct.push_back(call);
      else if (call->isIndirectCall())
        indirect.push_back(call);
      if (doubtful_callee(*call)) by_name.push_back(call);
      if (!callbacks_of(*call).empty()) by_library.push_back(call);
    }
    for (CallBase* call : direct) mark_direct(*call);
    for (CallBase* call : indirect)
      mark_pointer(*call, call->getCalledOperand(), is_virtual_call(*call) ? "a virtual function" : "a function pointer");
    for (CallBase* call : by_library) mark_by_library(*call);
    for (CallBase* call : by_name) mark_own(*call);
  }

 private:
  enum Field { kFunction, kName, kSite, kState };

  Context& context_;
  Function& function_;
  PointerType* pointer_;
  Type* wide_;
  StructType* type_;
  MDNode* unlikely_;

  GlobalVariable* make_entry(Constant* callee, StringRef name, Constant* site) {
    Constant* fields[] = {callee, context_.sites.text(name), site, context_.wide(0)};
    auto* entry = new GlobalVariable(context_.module, type_, false, GlobalValue::PrivateLinkage,
                                     ConstantStruct::get(type_, fields), ".inspect.external");
    entry->setSection("inspect_externals");
    entry->setAlignment(Align(8));
    return entry;
  }

  Value* field(IRBuilder<>& builder, GlobalVariable* entry, Field number) {
    return builder.CreateConstInBoundsGEP2_32(type_, entry, 0, number);
  }

  Value* is_unsure(IRBuilder<>& builder, GlobalVariable* entry) {
    return builder.CreateICmpNE(builder.CreateLoad(wide_, field(builder, entry, kState)), context_.wide(1));
  }

  void ask(IRBuilder<>& builder, GlobalVariable* entry, CallBase& call) {
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    context_.hooks.call(builder, Hook::inspect_external_call, {entry});
  }

  void mark_direct(CallBase& call) {
    const Function* callee = unknown_callee(call);
    GlobalVariable* entry = make_entry(const_cast<Function*>(callee), demangle(callee->getName()), context_.sites.of(call));
    IRBuilder<> builder(&call);
    IRBuilder<> out_of_line(SplitBlockAndInsertIfThen(is_unsure(builder, entry), &call, false, unlikely_));
    ask(out_of_line, entry, call);
  }

  void mark_own(CallBase& call) {
    Function* callee = doubtful_callee(call);
    IRBuilder<> builder(&call);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    Value* unseen = builder.CreateICmpEQ(owner_of(builder, library_use(context_.module, *callee)),
                                         context_.wide(INSPECT_OF_PROGRAM_WITHOUT_HOOKS));
    IRBuilder<> out_of_line(SplitBlockAndInsertIfThen(unseen, &call, false, unlikely_));
    ask(out_of_line, make_entry(callee, demangle(callee->getName()), context_.sites.of(call)), call);
  }

  void mark_by_library(CallBase& call) {
    for (Value* function : callbacks_of(call)) {
      std::string name = "a function pointer";
      if (const auto* known = dyn_cast<Function>(function->stripPointerCastsAndAliases())) name = demangle(known->getName());
      mark_pointer(call, function, name, " by " + call.getCalledOperand()->stripPointerCastsAndAliases()->getName().str(),
                   !isa<Function>(function));
    }
  }

  // The entry remembers the function that the place called last.
  void mark_pointer(CallBase& call, Value* target, std::string name, const std::string& caller = "", bool may_be_null = false) {
    if (const auto* load = dyn_cast<LoadInst>(target); load && !is_virtual_call(call))  // tables have no name in the source
      if (std::string text = source_expression(load->getPointerOperand(), 8, context_.layout); !text.empty())
        name = text + " (a function pointer)";
    GlobalVariable* entry = make_entry(ConstantPointerNull::get(pointer_), name + caller, context_.sites.of(call));
    IRBuilder<> builder(&call);
    Value* other = builder.CreateICmpNE(builder.CreateLoad(pointer_, field(builder, entry, kFunction)), target);
    Value* unsure = builder.CreateOr(other, is_unsure(builder, entry));
    if (may_be_null) unsure = builder.CreateAnd(unsure, builder.CreateIsNotNull(target));
    IRBuilder<> out_of_line(SplitBlockAndInsertIfThen(unsure, &call, false, unlikely_));
    out_of_line.CreateStore(target, field(out_of_line, entry, kFunction));
    out_of_line.CreateStore(context_.wide(0), field(out_of_line, entry, kState));
    ask(out_of_line, entry, call);
  }
};

}  // namespace

void mark_external_calls(Context& context, Function& function) { ExternalCalls(context, function).run(); }

}  // namespace inspect::pass
