// thread_local variables of the program become descriptors (hooks/site.h) whose address the runtime gives per thread: its
// threads share one OS thread, hence one native copy.
//
// A variable defined elsewhere may belong to a library that was not instrumented: its descriptor is weak, and the native
// variable is used where none exists.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

class Rewriter {
 public:
  explicit Rewriter(Context& context) : context_(context), module_(context.module) {
    LLVMContext& c = module_.getContext();
    pointer_ = PointerType::getUnqual(c);
    Type* wide = Type::getInt64Ty(c);
    type_ = StructType::get(wide, wide, pointer_, wide);
  }

  void run() {
    SmallVector<GlobalVariable*, 8> variables;
    for (GlobalVariable& variable : module_.globals())
      if (variable.isThreadLocal() && !is_own_name(variable.getName())) variables.push_back(&variable);
    coroutines_ = any_of(module_, [](const Function& function) { return function.isPresplitCoroutine(); });
    for (GlobalVariable* variable : variables) rewrite(*variable);
    if (!defined_.empty()) list_descriptors();
  }

 private:
  Context& context_;
  Module& module_;
  PointerType* pointer_;
  StructType* type_;
  bool coroutines_ = false;
  SmallVector<GlobalVariable*, 8> defined_;

  void rewrite(GlobalVariable& variable) {
    if (variable.hasAvailableExternallyLinkage()) return;
    convertUsersOfConstantsToInstructions({&variable});
    SmallVector<Use*, 16> uses;
    for (Use& use : variable.uses())
      if (isa<Instruction>(use.getUser())) uses.push_back(&use);
    const bool defined = !variable.isDeclaration();
    if (!defined && uses.empty()) return;
    GlobalVariable* descriptor = defined ? define(variable) : declare(variable);
    Function* getter = defined ? nullptr : make_getter(variable, *descriptor);
    for (Use* use : uses) replace(*use, *descriptor, getter);
    if (variable.use_empty() && variable.hasLocalLinkage()) variable.eraseFromParent();
  }

  static std::string descriptor_name(const GlobalVariable& variable) { return ("__inspect_tls." + variable.getName()).str(); }

  GlobalVariable* define(GlobalVariable& variable) {
    const Constant* initial = variable.getInitializer();
    Constant* image = ConstantPointerNull::get(pointer_);
    if (!initial->isNullValue() && !isa<UndefValue>(initial)) {
      auto* copy = new GlobalVariable(module_, variable.getValueType(), true, GlobalValue::PrivateLinkage,
                                      variable.getInitializer(), ".inspect.tls_image");
      copy->setAlignment(variable.getAlign());
      image = copy;
    }
    const Align alignment = variable.getAlign().value_or(context_.layout.getABITypeAlign(variable.getValueType()));
    Constant* fields[] = {context_.wide(context_.layout.getTypeAllocSize(variable.getValueType())),
                          context_.wide(alignment.value()), image, context_.wide(0)};
    auto* descriptor = new GlobalVariable(module_, type_, false, variable.getLinkage(), ConstantStruct::get(type_, fields),
                                          descriptor_name(variable));
    descriptor->setVisibility(variable.getVisibility());
    descriptor->setDSOLocal(variable.isDSOLocal());
    descriptor->setAlignment(Align(8));
    if (variable.hasComdat()) {
      Comdat* group = module_.getOrInsertComdat(descriptor->getName());
      group->setSelectionKind(variable.getComdat()->getSelectionKind());
      descriptor->setComdat(group);
    }
    defined_.push_back(descriptor);
    return descriptor;
  }

  GlobalVariable* declare(GlobalVariable& variable) {
    auto* descriptor =
        new GlobalVariable(module_, type_, false, GlobalValue::ExternalWeakLinkage, nullptr, descriptor_name(variable));
    descriptor->setVisibility(variable.getVisibility());
    return descriptor;
  }

  CallInst* look_up(IRBuilder<>& builder, GlobalVariable& descriptor) {
    CallInst* call = context_.hooks.call(builder, Hook::inspect_thread_local, {&descriptor});
    call->addRetAttr(Attribute::NonNull);
    if (!coroutines_) {  // one activation stays in one thread: one call will do
      call->setDoesNotAccessMemory();
      call->addFnAttr(Attribute::WillReturn);
    }
    return call;
  }

  // Returns the runtime's copy if the variable is instrumented somewhere, else the native one.
  Function* make_getter(GlobalVariable& variable, GlobalVariable& descriptor) {
    auto* getter = Function::Create(FunctionType::get(pointer_, false), GlobalValue::InternalLinkage,
                                    "__inspect_tls_address." + variable.getName(), module_);
    getter->addFnAttr(Attribute::NoUnwind);
    LLVMContext& c = module_.getContext();
    BasicBlock* entry = BasicBlock::Create(c, "", getter);
    BasicBlock* ours = BasicBlock::Create(c, "ours", getter);
    BasicBlock* native = BasicBlock::Create(c, "native", getter);
    IRBuilder<> builder(entry);
    builder.CreateCondBr(builder.CreateIsNotNull(&descriptor), ours, native);
    builder.SetInsertPoint(ours);
    builder.CreateRet(look_up(builder, descriptor));
    builder.SetInsertPoint(native);
    builder.CreateRet(builder.CreateThreadLocalAddress(&variable));
    return getter;
  }

  void replace(Use& use, GlobalVariable& descriptor, Function* getter) {
    if (!isa<GlobalVariable>(use.get())) return;  // another edge of a phi from the same block, already done
    auto* user = cast<Instruction>(use.getUser());
    auto* intrinsic = dyn_cast<IntrinsicInst>(user);
    const bool address = intrinsic && intrinsic->getIntrinsicID() == Intrinsic::threadlocal_address;
    auto* phi = dyn_cast<PHINode>(user);
    IRBuilder<> builder(phi ? phi->getIncomingBlock(use)->getTerminator() : user);
    Value* place = getter ? builder.CreateCall(getter) : look_up(builder, descriptor);
    if (phi) {
      BasicBlock* from = phi->getIncomingBlock(use);
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        if (phi->getIncomingBlock(i) == from) phi->setIncomingValue(i, place);
      return;
    }
    if (!address) return use.set(place);
    intrinsic->replaceAllUsesWith(place);
    intrinsic->eraseFromParent();
  }

  // A duplicate definition that the linker drops stays listed, but by its name, which then means the one kept.
  void list_descriptors() {
    SmallVector<Constant*, 8> pointers(defined_.begin(), defined_.end());
    auto* type = ArrayType::get(pointer_, pointers.size());
    auto* list = new GlobalVariable(module_, type, true, GlobalValue::PrivateLinkage, ConstantArray::get(type, pointers),
                                    ".inspect.tls_variables");
    list->setSection("inspect_tls_variables");
    list->setAlignment(Align(8));
    appendToUsed(module_, {list});
  }
};

}  // namespace

void rewrite_thread_locals(Context& context) { Rewriter(context).run(); }

}  // namespace inspect::pass
