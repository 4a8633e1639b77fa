// Calls of library functions: what they read and write is reported by hooks around them, after the table library.def.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include "hooks/operation.h"
#include "instrument/pass/code_table.hpp"
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
bool contradicts_string(const Function& callee, unsigned argument, uint64_t character_bits) {
  const DISubprogram* subprogram = callee.getSubprogram();
  if (!subprogram || !subprogram->getType()) return false;
  const DITypeRefArray types = subprogram->getType()->getTypeArray();
  if (argument + 1 >= types.size()) return false;
  const auto* pointer = dyn_cast_or_null<DIDerivedType>(bare(types[argument + 1]));
  if (!pointer || pointer->getTag() != dwarf::DW_TAG_pointer_type) return true;
  const DIType* character = bare(pointer->getBaseType());
  return character && character->getSizeInBits() != character_bits;
}

bool uses_integer(const CallBase& call, uint64_t argument) {
  return argument < call.arg_size() && call.getArgOperand(unsigned(argument))->getType()->isIntegerTy();
}

// Has the call the arguments that the table speaks of?
bool fits(const CallBase& call, const Function& callee, const Effect& effect) {
  const bool no_place = effect.kind >= Effect::library_state_read && effect.kind <= Effect::library_state_write;
  if (no_place || effect.kind >= Effect::acts) return true;
  if (effect.argument == library::kResult) {
    if (!call.getType()->isPointerTy()) return false;
  } else if (effect.argument >= call.arg_size() || !call.getArgOperand(effect.argument)->getType()->isPointerTy()) {
    return false;
  }
  const Extent& extent = effect.extent;
  const auto is_text = [&] {
    return effect.argument == library::kResult || !contradicts_string(callee, effect.argument, 8 * extent.unit);
  };
  const bool gives_number = call.getType()->isIntegerTy();
  switch (extent.kind) {
    case Extent::constant:
      return true;
    case Extent::argument:
      return uses_integer(call, extent.first);
    case Extent::product:
      return uses_integer(call, extent.first) && uses_integer(call, extent.second);
    case Extent::string:
      return is_text();
    case Extent::limited_string:
      return uses_integer(call, extent.second) && is_text();
    case Extent::string_of:
      return extent.first < call.arg_size() && call.getArgOperand(unsigned(extent.first))->getType()->isPointerTy();
    case Extent::result:
      return gives_number;
    case Extent::result_times:
    case Extent::result_and_end:
    case Extent::result_at_most:
      return gives_number && uses_integer(call, extent.first);
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

constexpr const char* kGuard = "inspect.use";

class LibraryCall {
 public:
  LibraryCall(Context& context, CallBase& call, Function& callee)
      : context_(context), call_(call), callee_(callee), before_(&call) {
    if (program_may_define(callee.getName())) use_ = library_use(context.module, callee);
  }

  void mark(const Effect& effect) {
    if (!fits(call_, callee_, effect)) return;
    switch (effect.kind) {
      case Effect::read:
        return read(effect);
      case Effect::write:
        return range(before_, Hook::inspect_write_range, effect, extent(before_, effect));
      case Effect::write_after:
      case Effect::write_if_zero:
        return write_after(effect);
      case Effect::library_state_read:
      case Effect::library_state_write:
        return use_library_state(effect);
      case Effect::print_arguments:
        return print(effect);
      case Effect::print_list:
        return print_list(effect);
      case Effect::scan_arguments:
        return scan(effect);
      case Effect::scan_list:
        return scan_list(effect);
      case Effect::acts:
        return act(before_, effect, before_.getInt64(0));
      case Effect::acted: {
        Behind builder(call_);
        return act(builder, effect, call_.getType()->isVoidTy() ? builder.getInt64(0) : as_word(builder, &call_));
      }
      case Effect::count:
        return count(effect);
    }
  }

 private:
  Context& context_;
  CallBase& call_;
  const Function& callee_;
  IRBuilder<> before_;
  GlobalVariable* use_ = nullptr;  // null: the library's without doubt

  Constant* site(const Value* address, uint64_t size) {
    return context_.sites.of(call_, source_expression(address, size, context_.layout));
  }

  // Stands right behind the call, and at its place in the source.
  struct Behind : IRBuilder<> {
    explicit Behind(CallBase& call) : IRBuilder<>(after(call)) { SetCurrentDebugLocation(call.getDebugLoc()); }
  };

  // `value`, or `otherwise` if the program has a function of its own by that name.
  Value* unless_own(IRBuilder<>& builder, Value* value, Value* otherwise) {
    if (!use_) return value;
    return builder.CreateSelect(builder.CreateIsNull(owner_of(builder, use_)), value, otherwise);
  }

  // Likewise of a hook's constant, which the table of code must know: then the hook itself gets a condition later.
  Value* constant_unless_own(IRBuilder<>& builder, Value* value, Value* otherwise) {
    return wants_code() ? value : unless_own(builder, value, otherwise);
  }

  void call_hook(IRBuilder<>& builder, Hook hook, ArrayRef<Value*> arguments) {
    CallInst* call = context_.hooks.call(builder, hook, arguments);
    if (use_ && wants_code()) call->setMetadata(kGuard, MDNode::get(call->getContext(), ConstantAsMetadata::get(use_)));
  }

  Value* wide_argument(IRBuilder<>& builder, uint64_t number) {
    return builder.CreateZExtOrTrunc(call_.getArgOperand(unsigned(number)), builder.getInt64Ty());
  }

  Value* positive_result(IRBuilder<>& builder) {
    Value* result = builder.CreateSExtOrTrunc(&call_, builder.getInt64Ty());
    return builder.CreateSelect(builder.CreateICmpSGT(result, context_.wide(0)), result, context_.wide(0));
  }

  Value* place_of(const Effect& effect) {
    return effect.argument == library::kResult ? &call_ : call_.getArgOperand(effect.argument);
  }

  // The number of bytes, counted where the builder stands.
  Value* extent(IRBuilder<>& builder, const Effect& effect) {
    const Extent& extent = effect.extent;
    const auto units = [&](Value* count) {
      return extent.unit == 1 ? count : builder.CreateMul(count, context_.wide(extent.unit));
    };
    switch (extent.kind) {
      case Extent::constant:
        return context_.wide(extent.first);
      case Extent::argument:
        return units(wide_argument(builder, extent.first));
      case Extent::product:
        return builder.CreateMul(wide_argument(builder, extent.first), wide_argument(builder, extent.second));
      case Extent::string:
        return text_size(builder, place_of(effect), context_.wide(~0ull), extent.unit);
      case Extent::limited_string:
        return text_size(builder, place_of(effect), wide_argument(builder, extent.second), extent.unit);
      case Extent::string_of:
        return text_size(builder, call_.getArgOperand(unsigned(extent.first)), context_.wide(~0ull), extent.unit);
      case Extent::result:
        return units(positive_result(builder));
      case Extent::result_times:
        return builder.CreateMul(positive_result(builder), wide_argument(builder, extent.first));
      case Extent::result_at_most:
        return builder.CreateBinaryIntrinsic(Intrinsic::umin, positive_result(builder), wide_argument(builder, extent.first));
      case Extent::result_and_end: {
        Value* size = builder.CreateSExtOrTrunc(&call_, builder.getInt64Ty());
        size = builder.CreateAdd(size, context_.wide(1));
        size = builder.CreateSelect(builder.CreateICmpSGT(size, context_.wide(0)), size, context_.wide(0));
        return builder.CreateBinaryIntrinsic(Intrinsic::umin, size, wide_argument(builder, extent.first));
      }
    }
    return context_.wide(0);
  }

  // Bytes of the text there, its terminator included; none at a null pointer.
  Value* text_size(IRBuilder<>& builder, Value* text, Value* limit, uint64_t unit) {
    if (const uint64_t characters = GetStringLength(text, unsigned(8 * unit)))
      return builder.CreateMul(builder.CreateBinaryIntrinsic(Intrinsic::umin, limit, context_.wide(characters)),
                               context_.wide(unit));
    text = unless_own(builder, text, Constant::getNullValue(text->getType()));
    return context_.hooks.call(builder, Hook::inspect_text_size, {text, limit, context_.word(unit), site(text, 0)});
  }

  static bool is_certainly_not_null(const Value* pointer) {
    const Value* object = getUnderlyingObject(pointer);
    return isa<AllocaInst>(object) || isa<GlobalVariable>(object);
  }

  void range(IRBuilder<>& builder, Hook hook, const Effect& effect, Value* size) {
    Value* pointer = place_of(effect);
    if (isa<ConstantPointerNull>(pointer)) return;
    if (hook == Hook::inspect_read_range && is_constant_memory(pointer)) return;
    if (effect.may_be_null && !is_certainly_not_null(pointer))
      size = builder.CreateSelect(builder.CreateIsNull(pointer), context_.wide(0), size);
    const auto* constant = dyn_cast<ConstantInt>(size);
    Constant* place = site(pointer, constant ? constant->getZExtValue() : 0);
    call_hook(builder, hook, {pointer, constant_unless_own(builder, size, context_.wide(0)), place});
  }

  void write_argument(IRBuilder<>& builder, unsigned argument, Value* size) {
    Effect effect;
    effect.argument = argument;
    range(builder, Hook::inspect_write_range, effect, size);
  }

  Value* empty_string() {
    Constant* zero = ConstantDataArray::getString(context_.module.getContext(), "");
    if (auto* existing = context_.module.getGlobalVariable(".inspect.empty", true)) return existing;
    return new GlobalVariable(context_.module, zero->getType(), true, GlobalValue::PrivateLinkage, zero, ".inspect.empty");
  }

  void read(const Effect& effect) {
    const Extent& bytes = effect.extent;
    const bool text = (bytes.kind == Extent::string || bytes.kind == Extent::limited_string) && bytes.unit == 1;
    if (!text) return range(before_, Hook::inspect_read_range, effect, extent(before_, effect));
    Value* limit = bytes.kind == Extent::string ? context_.wide(~0ull) : wide_argument(before_, bytes.second);
    read_string(call_.getArgOperand(effect.argument), limit, effect.may_be_null);
  }

  void read_string(Value* text, Value* limit, bool may_be_null) {
    if (is_constant_memory(text)) return;
    Constant* place = site(text, 0);
    limit = constant_unless_own(before_, limit, context_.wide(0));
    if (may_be_null && !is_certainly_not_null(text))
      text = before_.CreateSelect(before_.CreateIsNull(text), empty_string(), text);
    call_hook(before_, Hook::inspect_read_string, {text, limit, place});
  }

  void write_after(const Effect& effect) {
    Behind builder(call_);
    const bool fails_with_null = call_.getType()->isPointerTy() && effect.argument != library::kResult;
    Value* size = extent(builder, effect);
    if (fails_with_null)  // nothing was written when it failed
      size = builder.CreateSelect(builder.CreateIsNull(&call_), context_.wide(0), size);
    if (effect.kind == Effect::write_if_zero && call_.getType()->isIntegerTy())
      size = builder.CreateSelect(builder.CreateIsNull(&call_), size, context_.wide(0));
    if (effect.argument == library::kResult) size = builder.CreateSelect(builder.CreateIsNull(&call_), context_.wide(0), size);
    range(builder, Hook::inspect_write_range, effect, size);
  }

  void use_library_state(const Effect& effect) {
    Type* byte = before_.getInt8Ty();
    Constant* all = context_.module.getOrInsertGlobal("inspect_library_state", ArrayType::get(byte, 0));
    Value* object = before_.CreateConstGEP1_64(byte, all, library::kLibraryStateBytes * effect.object);
    const Hook hook = effect.kind == Effect::library_state_read ? Hook::inspect_read_range : Hook::inspect_write_range;
    Constant* place = context_.sites.of(call_, ("library state: " + Twine(effect.name)).str());
    call_hook(before_, hook,
              {object, constant_unless_own(before_, context_.wide(library::kLibraryStateBytes), context_.wide(0)), place});
  }

  void count(const Effect& effect) {
    Value* owner = call_.getArgOperand(effect.argument);
    Value* object = before_.CreateLoad(before_.getPtrTy(), owner);
    Value* count = before_.CreateGEP(before_.getInt8Ty(), object, context_.wide(-effect.extent.first));
    const bool adds = call_.getCalledFunction()->getName().contains("_M_addref");
    context_.hooks.call(before_, Hook::inspect_exception_counted, {count, before_.getInt32(adds), site(owner, 8)});
  }

  // An argument or result as eight bytes; what is neither a number nor a pointer is never looked at.
  Value* as_word(IRBuilder<>& builder, Value* value) {
    if (value->getType()->isPointerTy()) return builder.CreatePtrToInt(value, builder.getInt64Ty());
    if (value->getType()->isIntegerTy()) return builder.CreateSExtOrTrunc(value, builder.getInt64Ty());
    return builder.getInt64(0);
  }

  void act(IRBuilder<>& builder, const Effect& effect, Value* result) {
    constexpr unsigned kArguments = 6;
    Constant* nothing = context_.word(unsigned(library::Action::count));
    SmallVector<Value*, 9> values{constant_unless_own(builder, context_.word(effect.object), nothing)};
    for (unsigned i = 0; i < kArguments; ++i)
      values.push_back(i < call_.arg_size() ? as_word(builder, call_.getArgOperand(i)) : builder.getInt64(0));
    values.push_back(result);
    values.push_back(context_.sites.of(call_));
    call_hook(builder, Hook::inspect_act, values);
  }

  // The format of a call that prints or scans; null, and nothing is looked at, when it is of the program's own function.
  Value* format_of(IRBuilder<>& builder, const Effect& effect) {
    Value* format = call_.getArgOperand(effect.argument);
    return unless_own(builder, format, Constant::getNullValue(format->getType()));
  }

  bool has_list(const Effect& effect) {
    return effect.argument + 1 < call_.arg_size() && call_.getArgOperand(effect.argument + 1)->getType()->isPointerTy();
  }

  // Gives the variable arguments to the hook that follows; their number.
  Constant* give_words(IRBuilder<>& builder, unsigned format) {
    Constant* words = context_.module.getOrInsertGlobal("inspect_words", ArrayType::get(builder.getInt64Ty(), 0));
    unsigned count = 0;
    for (unsigned i = format + 1; i < call_.arg_size() && count < format::kMostArguments; ++i, ++count)
      builder.CreateStore(as_word(builder, call_.getArgOperand(i)),
                          builder.CreateConstGEP1_64(builder.getInt64Ty(), words, count));
    return context_.word(count);
  }

  std::optional<SmallVector<Conversion, 8>> constant_format(const Effect& effect, bool scans) {
    StringRef text;
    if (effect.wide || !getConstantStringInfo(call_.getArgOperand(effect.argument), text)) return std::nullopt;
    return parse_format(text, scans);
  }

  void print(const Effect& effect) {
    const unsigned format = effect.argument;
    const auto conversions = constant_format(effect, false);
    if (!conversions) {
      Constant* count = give_words(before_, format);
      context_.hooks.call(
          before_, Hook::inspect_print_words,
          {format_of(before_, effect), count, context_.word(effect.wide), site(call_.getArgOperand(format), 0)});
      return;
    }
    for (const Conversion& conversion : *conversions) {
      const unsigned argument = format + 1 + conversion.argument;
      if (argument >= call_.arg_size() || !call_.getArgOperand(argument)->getType()->isPointerTy()) continue;
      if (conversion.kind == Conversion::string || conversion.kind == Conversion::wide_string)
        print_string(conversion, format, argument);
      if (conversion.kind == Conversion::count) write_argument(before_, argument, context_.wide(conversion.size));
    }
    see_locale(*conversions);
  }

  void see_locale(ArrayRef<Conversion> conversions) {
    if (any_of(conversions, [](const Conversion& c) { return c.localised; })) use_library_state(library::sees_locale());
  }

  void print_string(const Conversion& conversion, unsigned format, unsigned argument) {
    Value* limit = context_.wide(uint64_t(conversion.precision));
    if (conversion.precision_at != format::kNone && uses_integer(call_, format + 1 + uint64_t(conversion.precision_at)))
      // a negative one means none, and sign-extends to that
      limit =
          before_.CreateSExtOrTrunc(call_.getArgOperand(format + 1 + unsigned(conversion.precision_at)), before_.getInt64Ty());
    Value* text = call_.getArgOperand(argument);
    if (conversion.kind == Conversion::string) return read_string(text, limit, true);
    Effect effect;
    effect.argument = argument;
    range(before_, Hook::inspect_read_range, effect, text_size(before_, text, limit, sizeof(wchar_t)));
  }

  // What the arguments are is told by the hooks; that the list goes on to the next, here.
  static constexpr uint64_t kListBytes = 24;  // of x86-64
  void print_list(const Effect& effect) {
    if (!has_list(effect)) return;
    write_argument(before_, effect.argument + 1, context_.wide(kListBytes));
    context_.hooks.call(before_, Hook::inspect_print_list,
                        {call_.getArgOperand(effect.argument + 1), format_of(before_, effect), context_.word(effect.wide),
                         site(call_.getArgOperand(effect.argument), 0)});
  }

  void scan(const Effect& effect) {
    if (!call_.getType()->isIntegerTy()) return;
    const unsigned format = effect.argument;
    const auto conversions = constant_format(effect, true);
    Behind builder(call_);
    if (!conversions) {
      Constant* count = give_words(builder, format);
      context_.hooks.call(builder, Hook::inspect_scanned_words,
                          {format_of(builder, effect), count, as_word(builder, &call_), context_.word(effect.wide),
                           site(call_.getArgOperand(format), 0)});
      return;
    }
    unsigned matched = 0;
    for (const Conversion& conversion : *conversions) {
      const unsigned argument = format + 1 + conversion.argument;
      if (argument >= call_.arg_size() || !call_.getArgOperand(argument)->getType()->isPointerTy()) continue;
      scan_into(builder, conversion, argument, matched);
      if (conversion.kind != Conversion::count) ++matched;
    }
    see_locale(*conversions);
  }

  // The result says how many arguments were stored to.
  void scan_into(IRBuilder<>& builder, const Conversion& conversion, unsigned argument, unsigned matched) {
    Value* pointer = call_.getArgOperand(argument);
    Constant* needed = ConstantInt::get(call_.getType(), conversion.kind == Conversion::count ? matched : matched + 1);
    Value* stored = builder.CreateICmpSGE(&call_, needed);
    Value* size = context_.wide(conversion.size);
    if (conversion.kind == Conversion::string || conversion.kind == Conversion::wide_string) {
      Value* text = builder.CreateSelect(stored, pointer, ConstantPointerNull::get(builder.getPtrTy()));
      size = text_size(builder, text, context_.wide(~0ull), conversion.size);
    }
    size = builder.CreateSelect(stored, size, context_.wide(0));
    write_argument(builder, argument, size);
  }

  // The call uses the list up: the hook after it gets a copy.
  void scan_list(const Effect& effect) {
    if (!has_list(effect)) return;
    write_argument(before_, effect.argument + 1, context_.wide(kListBytes));
    if (!call_.getType()->isIntegerTy()) return;
    IRBuilder<> entry(&*call_.getFunction()->getEntryBlock().getFirstInsertionPt());
    AllocaInst* copy = entry.CreateAlloca(ArrayType::get(entry.getInt8Ty(), kListBytes), nullptr, ".inspect.list");
    copy->setAlignment(Align(8));
    before_.CreateMemCpy(copy, Align(8), unless_own(before_, call_.getArgOperand(effect.argument + 1), copy), Align(8),
                         kListBytes);
    tell_scanned(before_, copy, context_.wide(~0ull), effect);  // nothing is stored yet: are the arguments there?
    Behind builder(call_);
    tell_scanned(builder, copy, as_word(builder, &call_), effect);
  }
  void tell_scanned(IRBuilder<>& builder, Value* list, Value* stored, const Effect& effect) {
    context_.hooks.call(
        builder, Hook::inspect_scanned_list,
        {list, format_of(builder, effect), stored, context_.word(effect.wide), site(call_.getArgOperand(effect.argument), 0)});
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

// Does a pointer get anywhere but to the accesses of this function?
bool is_handed_on(const Value& pointer, SmallPtrSetImpl<const Value*>& seen) {
  if (!seen.insert(&pointer).second) return false;
  for (const User* user : pointer.users()) {
    if (isa<LoadInst>(user) || isa<ICmpInst>(user)) continue;
    if (const auto* store = dyn_cast<StoreInst>(user); store && store->getValueOperand() != &pointer) continue;
    if (const auto* call = dyn_cast<CallBase>(user);
        call && call->getCalledFunction() && call->getCalledFunction()->getName().starts_with("inspect_"))
      continue;
    if ((isa<PHINode>(user) || isa<SelectInst>(user)) && !is_handed_on(*user, seen)) continue;
    return true;
  }
  return false;
}

// errno of all threads lies at one address: whose is meant cannot be told once another function, or thread, has it.
void mark_errno(Context& context, CallBase& call) {
  SmallPtrSet<const Value*, 8> seen;
  if (!is_handed_on(call, seen)) return;
  IRBuilder<> builder(&call);
  SmallVector<Value*, 9> values{context.word(unsigned(library::Action::keep_errno))};
  values.append(7, builder.getInt64(0));
  values.push_back(context.sites.of(call));
  context.hooks.call(builder, Hook::inspect_act, values);
}

}  // namespace

void mark_library_calls(Context& context, Function& function) {
  SmallVector<CallBase*, 16> calls;
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<CallBase>(&instruction); call && !isa<IntrinsicInst>(call)) calls.push_back(call);
  for (CallBase* call : calls) {
    auto* callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
    if (!callee || !callee->isDeclaration()) continue;
    StringRef name = callee->getName();
    if (name == "__cxa_end_catch") {  // an owner of the exception that is being handled gives it up
      IRBuilder<> builder(call);
      Constant* none = ConstantPointerNull::get(PointerType::getUnqual(context.module.getContext()));
      context.hooks.call(builder, Hook::inspect_exception_counted, {none, builder.getInt32(0), context.sites.of(*call, "")});
      continue;
    }
    if (name == "__errno_location") mark_errno(context, *call);
    const LibraryFunction* row = library_function(name);
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

void keep_with(CallInst& hook, const Instruction& other) { hook.setMetadata(kGuard, other.getMetadata(kGuard)); }

void guard_library_hooks(Function& function) {
  SmallVector<CallInst*, 16> hooks;
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<CallInst>(&instruction); call && call->getMetadata(kGuard)) hooks.push_back(call);
  for (CallInst* hook : hooks) {
    auto* use = mdconst::extract<GlobalVariable>(hook->getMetadata(kGuard)->getOperand(0));
    IRBuilder<> builder(hook);
    hook->moveBefore(SplitBlockAndInsertIfThen(builder.CreateIsNull(owner_of(builder, use)), hook, false));
    hook->setMetadata(kGuard, nullptr);
  }
}

}  // namespace inspect::pass
