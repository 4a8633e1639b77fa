#include "instrument/pass/hooks.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>

using namespace llvm;

namespace inspect::pass {

namespace {

struct Signature {
  const char* result;
  const char* name;
  const char* parameters;  // "(type name, type name)"
};

constexpr Signature kSignatures[] = {
#define HOOK(result, name, parameters) {#result, #name, #parameters},
#include "hooks/hooks.def"
};

Type* type_named(LLVMContext& context, StringRef name) {
  if (name == "void") return Type::getVoidTy(context);
  if (name == "ptr") return PointerType::getUnqual(context);
  unsigned bits = 0;
  if (!name.consume_front("i") || name.getAsInteger(10, bits)) report_fatal_error("hooks.def: unknown type");
  return IntegerType::get(context, bits);
}

FunctionType* function_type(LLVMContext& context, const Signature& signature) {
  SmallVector<StringRef, 8> parts;
  StringRef(signature.parameters).trim("() ").split(parts, ',', -1, false);
  SmallVector<Type*, 8> parameters;
  for (StringRef part : parts) parameters.push_back(type_named(context, part.trim().split(' ').first));
  return FunctionType::get(type_named(context, signature.result), parameters, false);
}

bool reads_atomically(Hook hook) {
  return hook == Hook::inspect_atomic_load || hook == Hook::inspect_atomic_wait || hook == Hook::inspect_atomic_rmw ||
         hook == Hook::inspect_atomic_cas;
}

bool hook_keeps_nothing(Hook hook) {
  switch (hook) {
    case Hook::inspect_atomic_load:
    case Hook::inspect_atomic_wait:
    case Hook::inspect_atomic_store:
    case Hook::inspect_atomic_rmw:
    case Hook::inspect_atomic_cas:
    case Hook::inspect_atomic_point:
    case Hook::inspect_loop_memory:
    case Hook::inspect_text_size:
    case Hook::inspect_print_list:
    case Hook::inspect_scanned_list:
    case Hook::inspect_variable_arguments:
    case Hook::inspect_variable_arguments_end:
      return true;
    default:
      return is_access_hook(hook);
  }
}

}  // namespace

Function* Hooks::declare(Hook hook) {
  Function*& function = functions_[unsigned(hook)];
  if (function) return function;
  const Signature& signature = kSignatures[unsigned(hook)];
  LLVMContext& context = module_.getContext();
  function = cast<Function>(module_.getOrInsertFunction(signature.name, function_type(context, signature)).getCallee());
  function->setDoesNotThrow();
  // The head of a loop that waits must not be copied in front of it: the first turn has to be like the others.
  if (reads_atomically(hook)) function->setConvergent();
  // A hook's first pointer is looked at, or its memory changed, but not kept: stack objects do not escape by being hooked.
  if (hook_keeps_nothing(hook)) function->addParamAttr(0, Attribute::NoCapture);
  return function;
}

CallInst* Hooks::call(IRBuilder<>& builder, Hook hook, ArrayRef<Value*> arguments) {
  CallInst* call = builder.CreateCall(declare(hook), arguments);
  call->addFnAttr(Attribute::NoMerge);
  call->setTailCallKind(CallInst::TCK_NoTail);  // the caller's frame belongs to the stack that the runtime reports
  return call;
}

Hook hook_of(const CallBase& call) {
  static const StringMap<Hook> names = [] {
    StringMap<Hook> map;
    for (unsigned i = 0; i < unsigned(Hook::count); ++i) map[kSignatures[i].name] = Hook(i);
    return map;
  }();
  const Function* callee = call.getCalledFunction();
  if (!callee || !callee->getName().starts_with("inspect_")) return Hook::count;
  const auto found = names.find(callee->getName());
  return found == names.end() ? Hook::count : found->second;
}

bool is_own_name(StringRef name) {
  if (name.starts_with("__inspect_")) return true;
  if (!name.consume_front("inspect_")) return name == "reach_error" || name.starts_with("__VERIFIER_");
  for (const Signature& signature : kSignatures)
    if (name == StringRef(signature.name).drop_front(sizeof "inspect_" - 1)) return true;
  return is_contained(
      {"assume", "assert_failed", "nondet", "atomic_begin", "atomic_end", "yield", "proposition", "loop_budget", "loop_entries",
       "disturbed", "unreported_write", "frame_top", "callee", "stops", "library_state", "words", "program_main"},
      name);
}

bool is_read_hook(Hook hook) {
  switch (hook) {
    case Hook::inspect_read1:
    case Hook::inspect_read2:
    case Hook::inspect_read4:
    case Hook::inspect_read8:
    case Hook::inspect_read16:
    case Hook::inspect_read_range:
    case Hook::inspect_read_string:
      return true;
    default:
      return false;
  }
}

bool is_life_hook(Hook hook) { return hook == Hook::inspect_stack_begin || hook == Hook::inspect_stack_free; }

bool is_access_hook(Hook hook) {
  switch (hook) {
    case Hook::inspect_write1:
    case Hook::inspect_write2:
    case Hook::inspect_write4:
    case Hook::inspect_write8:
    case Hook::inspect_write16:
    case Hook::inspect_write_range:
      return true;
    default:
      return is_read_hook(hook) || is_life_hook(hook);
  }
}

std::optional<uint64_t> access_size(const CallBase& call, Hook hook) {
  switch (hook) {
    case Hook::inspect_read1:
    case Hook::inspect_write1:
      return 1;
    case Hook::inspect_read2:
    case Hook::inspect_write2:
      return 2;
    case Hook::inspect_read4:
    case Hook::inspect_write4:
      return 4;
    case Hook::inspect_read8:
    case Hook::inspect_write8:
      return 8;
    case Hook::inspect_read16:
    case Hook::inspect_write16:
      return 16;
    case Hook::inspect_read_range:
    case Hook::inspect_write_range:
      if (const auto* size = dyn_cast<ConstantInt>(call.getArgOperand(1))) return size->getZExtValue();
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace inspect::pass
