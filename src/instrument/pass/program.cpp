// What concerns functions as a whole: their names, attributes and tables.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include "hooks/site.h"
#include "instrument/pass/library.hpp"
#include "instrument/pass/names.hpp"
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

// Facts about a function's effects, true of its source perhaps, but not of its instrumented code.
constexpr Attribute::AttrKind kFalsified[] = {Attribute::Memory,      Attribute::NoSync,     Attribute::NoFree,
                                              Attribute::NoRecurse,   Attribute::WillReturn, Attribute::NoCallback,
                                              Attribute::Speculatable};

bool is_resolver(const Function& function) {
  return any_of(function.getParent()->ifuncs(),
                [&](const GlobalIFunc& ifunc) { return ifunc.getResolverFunction() == &function; });
}

bool is_listed(const Function& function) {
  if (function.hasFnAttribute(Attribute::Naked)) return false;
  if (function.hasAvailableExternallyLinkage() || is_resolver(function)) return false;
  if (function.hasLocalLinkage() && function.hasComdat())
    return false;  // the linker may drop it, and none can name it from outside
  return !function.isDiscardableIfUnused() || !function.use_empty();
}

bool is_listed(const GlobalAlias& alias, const Function& function) {
  if (function.hasFnAttribute(Attribute::Naked) || is_resolver(function)) return false;
  if (alias.hasLocalLinkage() && function.hasComdat()) return false;
  return !alias.isDiscardableIfUnused() || !alias.use_empty();
}

// A library function whose address is taken here and whose effects nobody needs to see: as good as instrumented when called
// through it.
bool is_library_callback(const Function& function) {
  if (function.isIntrinsic() || !is_library_function(function.getName()) || !function.hasAddressTaken()) return false;
  const LibraryFunction* row = library_function(function.getName());
  if (row && (row->callbacks || program_may_define(function.getName()))) return false;  // the runtime looks whose it is
  return !is_own_name(function.getName()) && !function.getName().starts_with("__gxx_") && (!row || row->effects.empty());
}

}  // namespace

SmallVector<Instruction*, 8> exits_of(Function& function) {
  SmallVector<Instruction*, 8> exits;
  for (BasicBlock& block : function)
    if (isa<ReturnInst, ResumeInst>(block.getTerminator())) exits.push_back(block.getTerminator());
  return exits;
}

bool is_instrumentable(const Function& function) {
  return !function.isDeclaration() && !function.hasFnAttribute(Attribute::Naked) &&
         !function.getName().starts_with("__inspect_") && !is_resolver(function);
}

void rename_main(Module& module) {
  if (Function* main = module.getFunction("main"); main && !main->hasLocalLinkage()) main->setName("inspect_program_main");
}

namespace {

bool is_address_use(const Use& use) {
  if (const auto* call = dyn_cast<CallBase>(use.getUser())) return !call->isCallee(&use);
  return !isa<Function>(use.getUser());  // a personality
}

// The function that takes a list in place of the arguments that `callee` may have more of: vsnprintf of snprintf; null: none.
Function* listed_form(Function& callee) {
  const StringRef name = callee.getName();
  FunctionType* const type = callee.getFunctionType();
  SmallVector<Type*, 6> parameters(type->params());
  parameters.push_back(PointerType::getUnqual(callee.getContext()));
  for (const char* prefix : {"", "__", "__isoc99_", "__isoc23_"}) {
    if (!name.starts_with(prefix)) continue;
    const std::string listed = (prefix + Twine("v") + name.substr(StringRef(prefix).size())).str();
    const LibraryFunction* row = library_function(listed);
    const auto takes_list = [&](const library::Effect& effect) {
      const bool formatted = effect.kind == library::Effect::print_list || effect.kind == library::Effect::scan_list;
      return formatted && effect.argument + 1 == type->getNumParams();  // a declaration may leave them out
    };
    if (!row || none_of(row->effects, takes_list)) continue;
    auto* const listed_type = FunctionType::get(type->getReturnType(), parameters, false);
    return dyn_cast<Function>(callee.getParent()->getOrInsertFunction(listed, listed_type).getCallee());
  }
  return nullptr;
}

CallInst* call_and_return(IRBuilder<>& builder, Function& callee, ArrayRef<Value*> arguments) {
  CallInst* call = builder.CreateCall(&callee, arguments);
  call->getType()->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(call);
  return call;
}

// Hands its arguments on as a list; to a function of the program's own by that name, as they are.
void hand_on_list(Function& caller, Function& callee, Function& listed) {
  LLVMContext& c = caller.getContext();
  IRBuilder<> builder(BasicBlock::Create(c, "", &caller));
  auto *own = BasicBlock::Create(c, "", &caller), *of_library = BasicBlock::Create(c, "", &caller);
  constexpr unsigned kListBytes = 24;  // of x86-64
  AllocaInst* const list = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), kListBytes), nullptr, ".inspect.list");
  list->setAlignment(Align(16));
  builder.CreateCondBr(builder.CreateIsNull(owner_of(builder, library_use(*caller.getParent(), callee))), of_library, own);
  SmallVector<Value*, 6> arguments;
  for (Argument& argument : caller.args()) arguments.push_back(&argument);
  builder.SetInsertPoint(own);
  call_and_return(builder, callee, arguments)->setTailCallKind(CallInst::TCK_MustTail);
  builder.SetInsertPoint(of_library);
  builder.CreateIntrinsic(Intrinsic::vastart, {list->getType()}, {list});
  arguments.push_back(list);
  call_and_return(builder, listed, arguments);
}

Function* declare_caller(Function& callee) {
  Module& module = *callee.getParent();
  auto* caller = Function::Create(callee.getFunctionType(), GlobalValue::LinkOnceODRLinkage,
                                  callee.getName() + ".through.pointer", module);
  caller->setComdat(module.getOrInsertComdat(caller->getName()));
  caller->setAttributes(callee.getAttributes());
  return caller;
}

void define_caller(Function& caller, Function& callee) {
  if (callee.isVarArg()) return hand_on_list(caller, callee, *listed_form(callee));
  IRBuilder<> builder(BasicBlock::Create(caller.getContext(), "", &caller));
  SmallVector<Value*, 6> arguments;
  for (Argument& argument : caller.args()) arguments.push_back(&argument);
  call_and_return(builder, callee, arguments)->setAttributes(callee.getAttributes());
}

}  // namespace

void redirect_library_addresses(Module& module) {
  SmallVector<Function*, 8> found;
  for (Function& function : module) {
    const bool elsewhere = function.isDeclaration() || function.hasAvailableExternallyLinkage();
    if (!elsewhere || function.isIntrinsic() || is_own_name(function.getName())) continue;
    const LibraryFunction* row = library_function(function.getName());
    if (row && !row->effects.empty() && any_of(function.uses(), is_address_use)) found.push_back(&function);
  }
  for (Function* function : found) {
    if (function->isVarArg() && !listed_form(*function)) continue;
    Function* caller = declare_caller(*function);
    function->replaceUsesWithIf(caller, is_address_use);
    define_caller(*caller, *function);
  }
}

void weaken_attributes(Module& module) {
  for (Function& function : module) {
    if (function.isIntrinsic()) continue;
    const bool known = function.isDeclaration() && is_library_function(function.getName());
    if (!known)
      for (Attribute::AttrKind kind : kFalsified) function.removeFnAttr(kind);
    if (function.isDeclaration()) continue;
    function.addFnAttr(Attribute::SanitizeThread);     // no speculated loads; the sanitizer itself is a pass of its own
    function.addFnAttr("disable-tail-calls", "true");  // whole stacks in reports, and return addresses that name the caller
    for (Instruction& instruction : instructions(function)) {
      auto* call = dyn_cast<CallBase>(&instruction);
      if (!call || isa<IntrinsicInst>(call) || call->isInlineAsm()) continue;
      const Function* callee = call->getCalledFunction();
      if (callee && callee->isDeclaration() && is_library_function(callee->getName())) continue;
      for (Attribute::AttrKind kind : kFalsified) call->removeFnAttr(kind);
    }
  }
}

bool program_may_define(StringRef name) {
  name.consume_front("\01");
  const LibraryFunction* row = library_function(name);
  if (name.starts_with("__") && row && row->effects.empty() && !row->modelled) return false;  // linked in by the compiler
  return !name.starts_with("_ZSt") && !name.starts_with("_ZNSt") && !name.starts_with("_ZNKSt");
}

GlobalVariable* library_use(Module& module, Function& callee) {
  const std::string name = ("__inspect_use." + callee.getName()).str();
  if (GlobalVariable* known = module.getGlobalVariable(name, true)) return known;
  LLVMContext& c = module.getContext();
  Constant* text = ConstantDataArray::getString(c, callee.getName().ltrim('\01'));
  auto* text_object = new GlobalVariable(module, text->getType(), true, GlobalValue::PrivateLinkage, text, ".inspect.name");
  text_object->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  Constant* fields[] = {&callee, text_object, ConstantInt::get(Type::getInt64Ty(c), INSPECT_OF_LIBRARY)};
  Constant* initial = ConstantStruct::getAnon(fields);
  auto* use = new GlobalVariable(module, initial->getType(), false, GlobalValue::InternalLinkage, initial, name);
  use->setSection("inspect_uses");
  use->setAlignment(Align(8));
  use->setExternallyInitialized(true);  // by the runtime
  appendToCompilerUsed(module, {use});  // stays as it is, until drop_library_uses()
  return use;
}

void drop_library_uses(Module& module) {
  const auto is_use = [](Constant* value) {
    const auto* global = dyn_cast<GlobalVariable>(value->stripPointerCasts());
    return global && global->getSection() == "inspect_uses";
  };
  removeFromUsedLists(module, is_use);
  for (GlobalVariable& global : make_early_inc_range(module.globals())) {
    if (!is_use(&global)) continue;
    global.removeDeadConstantUsers();
    if (global.use_empty()) global.eraseFromParent();
  }
}

Value* owner_of(IRBuilder<>& builder, GlobalVariable* use) {
  return builder.CreateLoad(builder.getInt64Ty(), builder.CreateConstInBoundsGEP2_32(use->getValueType(), use, 0, 2));
}

void mark_atomic_function(Context& context, Function& function) {
  const StringRef name = function.getName();
  if (!name.starts_with("__VERIFIER_atomic_") || name == "__VERIFIER_atomic_begin" || name == "__VERIFIER_atomic_end") return;
  Type* nothing = Type::getVoidTy(context.module.getContext());
  const FunctionCallee begin = context.module.getOrInsertFunction("inspect_atomic_begin", nothing);
  const FunctionCallee end = context.module.getOrInsertFunction("inspect_atomic_end", nothing);
  Instruction* first = &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  IRBuilder<> entry(first);
  if (const DISubprogram* subprogram = function.getSubprogram())
    entry.SetCurrentDebugLocation(
        DILocation::get(function.getContext(), subprogram->getScopeLine(), 0, const_cast<DISubprogram*>(subprogram)));
  entry.CreateCall(begin);
  for (Instruction* exit : exits_of(function)) IRBuilder<>(exit).CreateCall(end);
}

void mark_multiple_lock(Context& context, Function& function) {
  if (!function.getName().starts_with("_ZSt4lockI")) return;
  const auto mark = [&](Instruction& before, Hook hook) {
    IRBuilder<> builder(&before);
    builder.SetCurrentDebugLocation(before.getDebugLoc());
    context.hooks.call(builder, hook, {});
  };
  mark(*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca(), Hook::inspect_lock_all_begin);
  for (Instruction* exit : exits_of(function)) mark(*exit, Hook::inspect_lock_all_end);
}

void order_unlocking(Function& function) {
  constexpr int kRelease = 3;  // std::memory_order_release
  const StringRef name = function.getName();
  if (!name.contains("_Sp_atomic") || !name.contains("_Atomic_count")) return;
  if (!name.contains("6unlockE") && !name.contains("14_M_wait_unlockE")) return;
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !callee->getName().contains("fetch_sub") || call->arg_size() != 3) continue;
    if (Value* order = call->getArgOperand(2); order->getType()->isIntegerTy())
      call->setArgOperand(2, ConstantInt::get(order->getType(), kRelease));
  }
}

void list_functions(Module& module) {
  SmallVector<Constant*, 64> functions;
  for (Function& function : module)
    if (function.isDeclaration() ? is_library_callback(function) : is_listed(function)) functions.push_back(&function);
  // A constructor's second name; where another unit's copy of the first is linked, the two are at different addresses.
  for (GlobalAlias& alias : module.aliases())
    if (const auto* function = dyn_cast<Function>(alias.getAliaseeObject()); function && is_listed(alias, *function))
      functions.push_back(&alias);
  if (functions.empty()) return;
  auto* type = ArrayType::get(PointerType::getUnqual(module.getContext()), functions.size());
  auto* table = new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage, ConstantArray::get(type, functions),
                                   ".inspect.functions");
  table->setSection("inspect_functions");
  table->setAlignment(Align(8));
  appendToUsed(module, {table});
}

}  // namespace inspect::pass
