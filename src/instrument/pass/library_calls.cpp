// Calls of library functions: what they read and write is reported by hooks around them, after the table library.def.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include "hooks/operation.h"
#include "instrument/pass/escape.hpp"
#include "instrument/pass/formats.hpp"
#include "instrument/pass/library.hpp"
#include "instrument/pass/names.hpp"
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

const DIType* bare(const DIType* type) {
  const auto* derived = dyn_cast_or_null<DIDerivedType>(type);
  if (!derived || derived->getTag() == dwarf::DW_TAG_pointer_type) return type;
  return bare(derived->getBaseType());
}

// Does the declaration take something else than a string there? A program may have a function of its own by a library's name.
bool contradicts_string(const Function& callee, unsigned argument) {
  const DISubprogram* subprogram = callee.getSubprogram();
  if (!subprogram || !subprogram->getType()) return false;
  const DITypeRefArray types = subprogram->getType()->getTypeArray();
  if (argument + 1 >= types.size()) return false;
  const auto* pointer = dyn_cast_or_null<DIDerivedType>(bare(types[argument + 1]));
  if (!pointer || pointer->getTag() != dwarf::DW_TAG_pointer_type) return true;
  const DIType* character = bare(pointer->getBaseType());
  return character && character->getSizeInBits() != 8;
}

bool uses_integer(const CallBase& call, uint64_t argument) {
  return argument < call.arg_size() && call.getArgOperand(unsigned(argument))->getType()->isIntegerTy();
}

// Has the call the arguments that the table speaks of?
bool fits(const CallBase& call, const Function& callee, const Effect& effect) {
  if (effect.kind == Effect::hidden_read || effect.kind == Effect::hidden_write) return true;
  if (effect.argument >= call.arg_size() || !call.getArgOperand(effect.argument)->getType()->isPointerTy()) return false;
  const Extent& extent = effect.extent;
  switch (extent.kind) {
    case Extent::constant:
      return true;
    case Extent::argument:
      return uses_integer(call, extent.first);
    case Extent::product:
      return uses_integer(call, extent.first) && uses_integer(call, extent.second);
    case Extent::string:
      return !contradicts_string(callee, effect.argument);
    case Extent::limited_string:
      return uses_integer(call, extent.second) && !contradicts_string(callee, effect.argument);
    case Extent::result:
      return call.getType()->isIntegerTy();
    case Extent::result_times:
      return call.getType()->isIntegerTy() && uses_integer(call, extent.first);
  }
  return false;
}

// The place right behind a call that returns.
Instruction* after(CallBase& call) {
  if (auto* invoke = dyn_cast<InvokeInst>(&call)) {
    BasicBlock* next = invoke->getNormalDest();
    if (!next->getSinglePredecessor()) next = SplitEdge(invoke->getParent(), next);
    return &*next->getFirstInsertionPt();
  }
  return call.getNextNode();
}

class LibraryCall {
 public:
  LibraryCall(Context& context, CallBase& call, const Function& callee)
      : context_(context), call_(call), callee_(callee), before_(&call) {}

  void mark(const Effect& effect) {
    if (!fits(call_, callee_, effect)) return;
    switch (effect.kind) {
      case Effect::read:
        return read(effect);
      case Effect::write:
        return range(before_, Hook::inspect_write_range, effect, extent(before_, effect.extent));
      case Effect::write_after:
        return write_after(effect);
      case Effect::hidden_read:
      case Effect::hidden_write:
        return use_hidden(effect);
      case Effect::print_arguments:
        return print(effect.argument);
      case Effect::scan_arguments:
        return scan(effect.argument);
    }
  }

 private:
  Context& context_;
  CallBase& call_;
  const Function& callee_;
  IRBuilder<> before_;

  Constant* site(const Value* address, uint64_t size) {
    return context_.sites.of(call_, source_expression(address, size, context_.layout));
  }

  Value* wide_argument(IRBuilder<>& builder, uint64_t number) {
    return builder.CreateZExtOrTrunc(call_.getArgOperand(unsigned(number)), builder.getInt64Ty());
  }

  Value* positive_result(IRBuilder<>& builder) {
    Value* result = builder.CreateSExtOrTrunc(&call_, builder.getInt64Ty());
    return builder.CreateSelect(builder.CreateICmpSGT(result, context_.wide(0)), result, context_.wide(0));
  }

  // The number of bytes, where it does not depend on what they hold.
  Value* extent(IRBuilder<>& builder, const Extent& extent) {
    switch (extent.kind) {
      case Extent::constant:
        return context_.wide(extent.first);
      case Extent::argument:
        return wide_argument(builder, extent.first);
      case Extent::product:
        return builder.CreateMul(wide_argument(builder, extent.first), wide_argument(builder, extent.second));
      case Extent::result:
        return positive_result(builder);
      case Extent::result_times:
        return builder.CreateMul(positive_result(builder), wide_argument(builder, extent.first));
      case Extent::string:
      case Extent::limited_string:
        break;
    }
    return context_.wide(0);
  }

  static bool is_certainly_not_null(const Value* pointer) {
    const Value* object = getUnderlyingObject(pointer);
    return isa<AllocaInst>(object) || isa<GlobalVariable>(object);
  }

  void range(IRBuilder<>& builder, Hook hook, const Effect& effect, Value* size) {
    Value* pointer = call_.getArgOperand(effect.argument);
    if (isa<ConstantPointerNull>(pointer)) return;
    if (hook == Hook::inspect_read_range && is_constant_memory(pointer)) return;
    if (effect.may_be_null && !is_certainly_not_null(pointer))
      size = builder.CreateSelect(builder.CreateIsNull(pointer), context_.wide(0), size);
    const auto* constant = dyn_cast<ConstantInt>(size);
    context_.hooks.call(builder, hook, {pointer, size, site(pointer, constant ? constant->getZExtValue() : 0)});
  }

  Value* empty_string() {
    Constant* zero = ConstantDataArray::getString(context_.module.getContext(), "");
    if (auto* existing = context_.module.getGlobalVariable(".inspect.empty", true)) return existing;
    return new GlobalVariable(context_.module, zero->getType(), true, GlobalValue::PrivateLinkage, zero, ".inspect.empty");
  }

  void read(const Effect& effect) {
    const Extent& bytes = effect.extent;
    Value* limit = context_.wide(~0ull);
    if (bytes.kind == Extent::limited_string)
      limit = wide_argument(before_, bytes.second);
    else if (bytes.kind != Extent::string)
      return range(before_, Hook::inspect_read_range, effect, extent(before_, bytes));
    read_string(call_.getArgOperand(effect.argument), limit, effect.may_be_null);
  }

  void read_string(Value* text, Value* limit, bool may_be_null) {
    if (is_constant_memory(text)) return;
    Constant* place = site(text, 0);
    if (may_be_null && !is_certainly_not_null(text))
      text = before_.CreateSelect(before_.CreateIsNull(text), empty_string(), text);
    context_.hooks.call(before_, Hook::inspect_read_string, {text, limit, place});
  }

  // Bytes of the string at `text`, its terminator included.
  Value* length(IRBuilder<>& builder, Value* text) {
    const FunctionCallee strlen = context_.module.getOrInsertFunction("strlen", builder.getInt64Ty(), builder.getPtrTy());
    return builder.CreateAdd(builder.CreateCall(strlen, text), context_.wide(1));
  }

  Value* limited_length(IRBuilder<>& builder, Value* text, Value* limit) {
    const FunctionCallee strnlen =
        context_.module.getOrInsertFunction("strnlen", builder.getInt64Ty(), builder.getPtrTy(), builder.getInt64Ty());
    Value* size = builder.CreateAdd(builder.CreateCall(strnlen, {text, limit}), context_.wide(1));
    return builder.CreateBinaryIntrinsic(Intrinsic::umin, size, limit);
  }

  void write_after(const Effect& effect) {
    IRBuilder<> builder(after(call_));
    builder.SetCurrentDebugLocation(call_.getDebugLoc());
    Value* size = nullptr;
    Value* text = call_.getArgOperand(effect.argument);
    switch (effect.extent.kind) {
      case Extent::string:
        size = length(builder, text);
        break;
      case Extent::limited_string:
        size = limited_length(builder, text, wide_argument(builder, effect.extent.second));
        break;
      default:
        size = extent(builder, effect.extent);
    }
    if (call_.getType()->isPointerTy())  // nothing was written when it failed
      size = builder.CreateSelect(builder.CreateIsNull(&call_), context_.wide(0), size);
    range(builder, Hook::inspect_write_range, effect, size);
  }

  void use_hidden(const Effect& effect) {
    constexpr uint64_t kObjectBytes = 8;
    Type* byte = before_.getInt8Ty();
    Constant* all = context_.module.getOrInsertGlobal("inspect_hidden_objects", ArrayType::get(byte, 0));
    Value* object = before_.CreateConstGEP1_64(byte, all, kObjectBytes * effect.hidden_object);
    const Hook hook = effect.kind == Effect::hidden_read ? Hook::inspect_read_range : Hook::inspect_write_range;
    Constant* place = context_.sites.of(call_, ("library state: " + effect.hidden_name).str());
    context_.hooks.call(before_, hook, {object, context_.wide(kObjectBytes), place});
  }

  void print(unsigned format) {
    StringRef text;
    if (!getConstantStringInfo(call_.getArgOperand(format), text))
      return read_string(call_.getArgOperand(format), context_.wide(~0ull), false);
    const auto conversions = parse_print_format(text);
    if (!conversions) return;
    for (unsigned i = 0; i < conversions->size(); ++i) {
      const Conversion& conversion = (*conversions)[i];
      const unsigned argument = format + 1 + i;
      if (argument >= call_.arg_size() || !call_.getArgOperand(argument)->getType()->isPointerTy()) continue;
      if (conversion.kind == Conversion::string) print_string(conversion, argument);
      if (conversion.kind == Conversion::count)
        range(before_, Hook::inspect_write_range, {Effect::write, argument, false, {}, 0, {}}, context_.wide(conversion.size));
    }
  }

  void print_string(const Conversion& conversion, unsigned argument) {
    Value* limit = context_.wide(conversion.precision.value_or(~0ull));
    if (conversion.precision_argument &&
        uses_integer(call_, argument - 1))  // a negative one means none, and sign-extends to that
      limit = before_.CreateSExtOrTrunc(call_.getArgOperand(argument - 1), before_.getInt64Ty());
    read_string(call_.getArgOperand(argument), limit, true);
  }

  void scan(unsigned format) {
    StringRef text;
    if (!call_.getType()->isIntegerTy()) return;
    const bool constant = getConstantStringInfo(call_.getArgOperand(format), text);
    const auto conversions = constant ? parse_scan_format(text) : std::nullopt;
    IRBuilder<> builder(after(call_));
    builder.SetCurrentDebugLocation(call_.getDebugLoc());
    unsigned matched = 0;
    for (unsigned argument = format + 1; argument < call_.arg_size(); ++argument) {
      const unsigned i = argument - format - 1;
      const Conversion conversion =
          conversions && i < conversions->size() ? (*conversions)[i] : Conversion{Conversion::value, 1, {}, {}};
      if (!call_.getArgOperand(argument)->getType()->isPointerTy()) continue;
      scan_into(builder, conversion, argument, matched);
      if (conversion.kind != Conversion::count) ++matched;
    }
  }

  // The result says how many arguments were stored to.
  void scan_into(IRBuilder<>& builder, const Conversion& conversion, unsigned argument, unsigned matched) {
    Value* pointer = call_.getArgOperand(argument);
    Constant* needed = ConstantInt::get(call_.getType(), conversion.kind == Conversion::count ? matched : matched + 1);
    Value* stored = builder.CreateICmpSGE(&call_, needed);
    Value* size = context_.wide(conversion.size);
    if (conversion.kind == Conversion::string) size = length(builder, builder.CreateSelect(stored, pointer, empty_string()));
    size = builder.CreateSelect(stored, size, context_.wide(0));
    range(builder, Hook::inspect_write_range, {Effect::write_after, argument, false, {}, 0, {}}, size);
  }
};

// --- Atomics of the compiler's library: __atomic_load(size, object, result, order), __atomic_load_16(object, order) and their
// like.

inspect_kind kind_of(StringRef operation) {
  if (operation.starts_with("load")) return INSPECT_OP_AtomicLoad;
  if (operation.starts_with("store")) return INSPECT_OP_AtomicStore;
  return operation.starts_with("compare_exchange") ? INSPECT_OP_AtomicCas : INSPECT_OP_AtomicRmw;
}

// C's numbering of memory orders starts one lower than ours.
Value* order_argument(IRBuilder<>& builder, Value* order) {
  return builder.CreateAdd(builder.CreateZExtOrTrunc(order, builder.getInt32Ty()), builder.getInt32(INSPECT_RELAXED));
}

void mark_atomic_call(Context& context, CallBase& call, StringRef operation) {
  const bool sized = operation.consume_back("_16");
  const inspect_kind kind = kind_of(operation);
  const unsigned object = sized ? 0 : 1;
  const unsigned orders = kind == INSPECT_OP_AtomicCas ? 2 : 1;
  if (call.arg_size() < object + orders + 1 || !call.getArgOperand(object)->getType()->isPointerTy()) return;
  IRBuilder<> builder(&call);
  Value* size = sized ? builder.getInt32(16) : builder.CreateTrunc(call.getArgOperand(0), builder.getInt32Ty());
  Value* order = order_argument(builder, call.getArgOperand(call.arg_size() - orders));
  Value* address = call.getArgOperand(object);
  Constant* site = context.sites.of(call, source_expression(address, 0, context.layout));
  for (unsigned i = object + 1; i + orders < call.arg_size() && !sized; ++i) {  // the operands stand in memory of the caller
    const bool result = kind == INSPECT_OP_AtomicLoad || (kind == INSPECT_OP_AtomicRmw && i == object + 2) ||
                        (kind == INSPECT_OP_AtomicCas && i == object + 1);
    context.hooks.call(builder, result ? Hook::inspect_write_range : Hook::inspect_read_range,
                       {call.getArgOperand(i), call.getArgOperand(0), site});
  }
  context.hooks.call(builder, Hook::inspect_atomic_point, {address, size, order, builder.getInt32(kind), site});
}

}  // namespace

void mark_library_calls(Context& context, Function& function) {
  SmallVector<CallBase*, 16> calls;
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<CallBase>(&instruction); call && !isa<IntrinsicInst>(call)) calls.push_back(call);
  for (CallBase* call : calls) {
    const auto* callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
    if (!callee || !callee->isDeclaration()) continue;
    StringRef name = callee->getName();
    const LibraryFunction* row = library_function(name);
    if (!row) row = string_member(name);
    if (!row) continue;
    if (name.consume_front("__atomic_")) {
      if (name != "is_lock_free") mark_atomic_call(context, *call, name);
      continue;
    }
    if (const auto* direct = dyn_cast<CallInst>(call); direct && direct->isMustTailCall()) continue;
    LibraryCall marked(context, *call, *callee);
    for (const Effect& effect : row->effects) marked.mark(effect);
  }
}

}  // namespace inspect::pass
