#include "instrument/pass/assembly_instructions.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsX86.h>
#include "hooks/operation.h"
#include "instrument/pass/assembly.hpp"
#include "instrument/pass/names.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

constexpr const char* kSized[] = {"mov",   "movabs", "add",    "sub",   "adc",    "sbb",   "and",   "or",      "xor",
                                  "cmp",   "test",   "inc",    "dec",   "neg",    "not",   "xchg",  "xadd",    "lea",
                                  "bt",    "bts",    "btr",    "btc",   "shl",    "sal",   "shr",   "sar",     "rol",
                                  "ror",   "bsf",    "bsr",    "imul",  "push",   "pop",   "bswap", "cmpxchg", "popcnt",
                                  "tzcnt", "lzcnt",  "movnti", "movbe", "rdrand", "rdseed"};

unsigned bits_of_suffix(char suffix) {
  return StringSwitch<unsigned>(StringRef(&suffix, 1)).Case("b", 8).Case("w", 16).Case("l", 32).Case("q", 64).Default(0);
}

bool is_shift(StringRef base) { return is_contained({"shl", "sal", "shr", "sar", "rol", "ror"}, base); }

RegisterName reg(Register number, unsigned bits) { return {number, bits, false}; }

AtomicRMWInst::BinOp operation_of(StringRef base) {
  return StringSwitch<AtomicRMWInst::BinOp>(base)
      .Cases("add", "inc", AtomicRMWInst::Add)
      .Cases("sub", "dec", AtomicRMWInst::Sub)
      .Case("and", AtomicRMWInst::And)
      .Case("or", AtomicRMWInst::Or)
      .Case("xor", AtomicRMWInst::Xor)
      .Default(AtomicRMWInst::BAD_BINOP);
}

Value* combine(IRBuilder<>& builder, AtomicRMWInst::BinOp operation, Value* a, Value* b) {
  switch (operation) {
    case AtomicRMWInst::Add:
      return builder.CreateAdd(a, b);
    case AtomicRMWInst::Sub:
      return builder.CreateSub(a, b);
    case AtomicRMWInst::And:
      return builder.CreateAnd(a, b);
    case AtomicRMWInst::Or:
      return builder.CreateOr(a, b);
    default:
      return builder.CreateXor(a, b);
  }
}

Flags::Kind flags_of(AtomicRMWInst::BinOp operation) {
  if (operation == AtomicRMWInst::Add) return Flags::addition;
  return operation == AtomicRMWInst::Sub ? Flags::subtraction : Flags::logic;
}

// The program uses cmpxchg16b, so its processor has it. All functions: the inliner does not care about this feature.
void allow_wide_exchange(Module& module) {
  for (Function& function : module) {
    const StringRef features = function.getFnAttribute("target-features").getValueAsString();
    if (function.isDeclaration() || features.contains("+cx16")) continue;
    function.addFnAttr("target-features", (features + (features.empty() ? "+cx16" : ",+cx16")).str());
  }
}

}  // namespace

Constant* AssemblyInstructions::site(Value* address) const {
  return context_.sites.of(call_, source_expression(address, 0, context_.layout));
}

// Finds the size of the operands: by suffix, by registers, or as the operand is declared.
bool AssemblyInstructions::decode() {
  const StringRef mnemonic = s_->mnemonic;
  base_ = mnemonic;
  bits_ = 0;
  if (!is_contained(kSized, mnemonic)) {
    const unsigned suffix = mnemonic.empty() ? 0 : bits_of_suffix(mnemonic.back());
    if (!suffix || !is_contained(kSized, mnemonic.drop_back())) return false;
    base_ = mnemonic.drop_back();
    bits_ = suffix;
  }
  if (s_->operands.empty()) return false;
  for (unsigned i = unsigned(s_->operands.size()); !bits_ && i-- > 0;) {
    bits_ = state_.bits_of(s_->operands[i]);
    if (is_shift(base_)) break;  // the register that holds a count says nothing
  }
  if (!bits_ && is_contained({"push", "pop"}, base_)) bits_ = 64;
  return bits_ != 0;
}

bool AssemblyInstructions::emit(const Statement& statement) {
  s_ = &statement;
  if (s_->repeat || s_->repeat_unequal) return emit_string() || s_->mnemonic == "nop";
  if (emit_alone()) return true;
  if (emit_processor() || emit_string() || emit_extending() || emit_conditional()) return true;
  if (s_->mnemonic == "cmpxchg8b") return emit_wide_compare_exchange(64);
  if (s_->mnemonic == "cmpxchg16b") return emit_wide_compare_exchange(128);
  if (!decode()) return false;
  if (s_->lock && !state_.is_memory(target()) && base_ != "xchg") return false;
  if (base_ == "mov" || base_ == "movabs" || base_ == "movnti" || base_ == "movbe" || base_ == "lea") return emit_move();
  if (operation_of(base_) != AtomicRMWInst::BAD_BINOP) return has(2) ? emit_arithmetic() : emit_unary();
  if (base_ == "adc" || base_ == "sbb") return emit_with_carry();
  if (base_ == "cmp" || base_ == "test") return emit_compare();
  if (base_ == "neg" || base_ == "not") return emit_unary();
  if (base_ == "xchg") return emit_exchange();
  if (base_ == "xadd") return emit_add_exchange();
  if (base_ == "cmpxchg") return emit_compare_exchange();
  if (base_.starts_with("bt")) return emit_bit();
  if (s_->lock) return false;
  if (is_shift(base_)) return emit_shift();
  if (base_ == "imul") return emit_multiply();
  if (base_ == "push" || base_ == "pop") return emit_stack();
  return emit_scan();
}

// Instructions that are nothing here: hints, barriers, what only the cache or the pipeline sees.
bool AssemblyInstructions::emit_alone() {
  const StringRef m = s_->mnemonic;
  if (m == "mfence") return fence(AtomicOrdering::SequentiallyConsistent), true;
  if (m == "lfence") return fence(AtomicOrdering::Acquire), true;
  if (m == "sfence") return fence(AtomicOrdering::Release), true;
  if (m == "ud2") return builder_.CreateIntrinsic(Intrinsic::trap, {}, {}), true;
  return m.starts_with("nop") || m.starts_with("prefetch") || m == "pause" || m == "cld" || m == "endbr64" ||
         (m.starts_with("clflush") && has(1)) || (m == "clwb" && has(1));
}

Value* AssemblyInstructions::processor_value(unsigned which) {
  return context_.hooks.call(builder_, Hook::inspect_processor_value, {context_.word(which)});
}

// Clocks, random numbers, and what the processor says of itself: the least that every x86-64 has.
bool AssemblyInstructions::emit_processor() {
  const StringRef m = s_->mnemonic;
  if (m == "rdtsc" || m == "rdtscp") {
    split(processor_value(0), kRdx, kRax, 32);
    if (m == "rdtscp") state_.set(reg(kRcx, 32), builder_.getInt32(0));
    return true;
  }
  if (m.starts_with("rdrand") || m.starts_with("rdseed")) {
    if (!decode() || !has(1)) return false;
    flags = Flags::of_carry(builder_.getTrue());
    return state_.write(target(), bits_, builder_.CreateTrunc(processor_value(1), builder_.getIntNTy(bits_)));
  }
  if (m == "cltq" || m == "cdqe") {
    Value* low = state_.get(reg(kRax, 32));
    if (low) state_.set(reg(kRax, 64), builder_.CreateSExt(low, builder_.getInt64Ty()));
    return low != nullptr;
  }
  if (m == "cltd" || m == "cdq" || m == "cqto" || m == "cqo") {
    const unsigned bits = m[1] == 'q' ? 64 : 32;
    Value* low = state_.get(reg(kRax, bits));
    if (low) state_.set(reg(kRdx, bits), builder_.CreateAShr(low, bits - 1));
    return low != nullptr;
  }
  if (m != "cpuid") return false;
  Value* const leaf = state_.get(reg(kRax, 32));
  if (!leaf) return false;
  struct Leaf {
    uint32_t number, eax, ebx, ecx, edx;
  };
  constexpr Leaf kLeaves[] = {{0, 1, 0x756e6547, 0x6c65746e, 0x49656e69},  // GenuineIntel
                              {1, 0x000006f1, 0, 0x2001, 0x078bfbff},      // SSE3, cmpxchg16b; up to SSE2
                              {0x80000000, 0x80000001, 0, 0, 0},
                              {0x80000001, 0, 0, 1, 0x20100800}};  // long mode
  Value* values[4] = {builder_.getInt32(0), builder_.getInt32(0), builder_.getInt32(0), builder_.getInt32(0)};
  for (const Leaf& known : kLeaves) {
    Value* is = builder_.CreateICmpEQ(leaf, builder_.getInt32(known.number));
    const uint32_t parts[] = {known.eax, known.ebx, known.ecx, known.edx};
    for (unsigned i = 0; i < 4; ++i) values[i] = builder_.CreateSelect(is, builder_.getInt32(parts[i]), values[i]);
  }
  constexpr Register kPlaces[] = {kRax, kRbx, kRcx, kRdx};
  for (unsigned i = 0; i < 4; ++i) state_.set(reg(kPlaces[i], 32), values[i]);
  return true;
}

// rep movs, rep stos: ranges, and then the instruction itself.
bool AssemblyInstructions::emit_string() {
  StringRef m = s_->mnemonic;
  const bool moves = m.consume_front("movs"), stores = !moves && m.consume_front("stos");
  const unsigned bits = m.size() == 1 ? bits_of_suffix(m == "d" ? 'l' : m[0]) : 0;
  if (!bits || !s_->operands.empty() || s_->repeat_unequal || !(moves || stores)) return false;
  Type* const wide = builder_.getInt64Ty();
  Value* const count = s_->repeat ? state_.get(reg(kRcx, 64)) : builder_.getInt64(1);
  Value* const to = state_.get(reg(kRdi, 64));
  Value* const from = state_.get(reg(moves ? kRsi : kRax, 64));
  if (!count || !to || !from) return false;
  Value* const size = builder_.CreateMul(count, builder_.getInt64(bits / 8));
  const auto touch = [&](Value* number, Hook hook) {
    Value* address = builder_.CreateIntToPtr(number, builder_.getPtrTy());
    context_.hooks.call(builder_, hook, {address, size, site(address)});
  };
  if (moves) touch(from, Hook::inspect_read_range);
  touch(to, Hook::inspect_write_range);
  const std::string text = std::string("rep ") + (moves ? "movs" : "stos") + "bwlq"[Log2_32(bits / 8)];
  const std::string constraints =
      std::string(moves ? "={di},={si},={cx},0,1,2" : "={di},={ax},={cx},0,1,2") + ",~{memory},~{dirflag},~{fpsr},~{flags}";
  auto* const type = FunctionType::get(StructType::get(wide, wide, wide), {wide, wide, wide}, false);
  CallInst* const call = builder_.CreateCall(InlineAsm::get(type, text, constraints, true), {to, from, count});
  call->setDoesNotThrow();
  set_known(*call);
  state_.set(reg(kRdi, 64), builder_.CreateExtractValue(call, 0));
  if (moves) state_.set(reg(kRsi, 64), builder_.CreateExtractValue(call, 1));
  if (s_->repeat) state_.set(reg(kRcx, 64), builder_.CreateExtractValue(call, 2));
  return true;
}

// movzbl, movslq, movzx and their like.
bool AssemblyInstructions::emit_extending() {
  StringRef m = s_->mnemonic;
  if (!has(2) || !m.consume_front("mov") || m.empty()) return false;
  const bool is_signed = m[0] == 's';
  if (!is_signed && m[0] != 'z') return false;
  m = m.drop_front();
  unsigned from = 0, to = 0;
  if (m == "x" || m == "xd") {
    from = state_.bits_of(source());
  } else {
    from = m.empty() ? 0 : bits_of_suffix(m[0]);
    to = m.size() == 2 ? bits_of_suffix(m[1]) : 0;
    if (m.size() > 2 || (m.size() == 2 && !to)) return false;
  }
  if (!to) to = state_.bits_of(target());
  if (!from || to <= from) return false;
  Value* value = state_.read(source(), from);
  if (!value) return false;
  Type* const type = builder_.getIntNTy(to);
  return state_.write(target(), to, is_signed ? builder_.CreateSExt(value, type) : builder_.CreateZExt(value, type));
}

// set<condition>, cmov<condition>
bool AssemblyInstructions::emit_conditional() {
  StringRef m = s_->mnemonic;
  if (m.consume_front("set") && has(1)) {
    Value* truth = flags.condition(builder_, m);
    if (!truth && m.ends_with("b")) truth = flags.condition(builder_, m.drop_back());
    return truth && state_.write(target(), 8, builder_.CreateZExt(truth, builder_.getInt8Ty()));
  }
  if (!m.consume_front("cmov") || !has(2)) return false;
  unsigned bits = state_.bits_of(target());
  Value* truth = flags.condition(builder_, m);
  if (!truth && !m.empty()) {
    truth = flags.condition(builder_, m.drop_back());
    bits = bits_of_suffix(m.back());
  }
  if (!truth || !bits || state_.is_memory(target())) return false;
  Value* const now = state_.read(target(), bits);
  Value* const other = state_.read(source(), bits);
  return now && other && state_.write(target(), bits, builder_.CreateSelect(truth, other, now));
}

// The thread's own block begins with its address, which is also its pthread_t.
bool AssemblyInstructions::emit_thread_pointer() {
  const TextOperand& from = source();
  const bool is_self = from.segment == "fs" && !from.base && !from.index && (from.number == 0 || from.number == 16);
  if (!is_self || bits_ != 64 || base_ != "mov") return false;
  const FunctionCallee self = context_.module.getOrInsertFunction("pthread_self", builder_.getInt64Ty());
  Value* value = builder_.CreateCall(self);
  if (value->getType()->isPointerTy()) value = builder_.CreatePtrToInt(value, builder_.getInt64Ty());
  return state_.write(target(), 64, value);
}

bool AssemblyInstructions::emit_move() {
  if (!has(2) || s_->lock) return false;
  if (!source().segment.empty()) return emit_thread_pointer();
  if (base_ == "lea") {
    Value* number = state_.address_number(source());
    return number && state_.write(target(), bits_, builder_.CreateTrunc(number, builder_.getIntNTy(bits_)));
  }
  if (state_.is_memory(source()) && state_.is_memory(target())) return false;
  Value* value = state_.read(source(), bits_);
  if (value && base_ == "movbe") value = builder_.CreateUnaryIntrinsic(Intrinsic::bswap, value);
  return value && state_.write(target(), bits_, value);
}

// A locked instruction on the top of the stack that changes nothing: programs use it as a full fence.
bool AssemblyInstructions::is_stack_fence() {
  const TextOperand& to = target();
  if (to.kind != TextOperand::memory || !to.base || to.base->is_argument || to.index || to.base->reg.number != kRsp)
    return false;
  if (base_ != "add" && base_ != "or" && base_ != "sub" && base_ != "xor") return false;
  const auto* value = dyn_cast_or_null<ConstantInt>(state_.read(source(), bits_));
  return value && value->isZero();
}

Value* AssemblyInstructions::locked(AtomicRMWInst::BinOp operation, Value* value) {
  Value* const address = state_.address(target());
  if (!address) return nullptr;
  return builder_.CreateAtomicRMW(operation, address, value, Align(bits_ / 8), AtomicOrdering::SequentiallyConsistent);
}

bool AssemblyInstructions::emit_arithmetic() {
  const AtomicRMWInst::BinOp operation = operation_of(base_);
  if (s_->lock && is_stack_fence()) return fence(AtomicOrdering::SequentiallyConsistent), flags = {}, true;
  if (state_.is_memory(source()) && state_.is_memory(target())) return false;
  // `xor %0, %0` and `sub %0, %0` read nothing.
  const bool same = !state_.is_memory(target()) && source().name == target().name && (base_ == "xor" || base_ == "sub");
  Value* const b = same ? builder_.getIntN(bits_, 0) : state_.read(source(), bits_);
  if (!b) return false;
  Value* const a = same ? b : is_locked_memory() ? locked(operation, b) : state_.read(target(), bits_);
  if (!a) return false;
  Value* const result = combine(builder_, operation, a, b);
  flags = Flags::of(flags_of(operation), a, b, result);
  return is_locked_memory() || state_.write(target(), bits_, result);
}

bool AssemblyInstructions::emit_with_carry() {
  if (!has(2) || s_->lock) return false;
  Value* const carry = flags.condition(builder_, "c");
  Value* const b = carry ? state_.read(source(), bits_) : nullptr;
  Value* const a = b ? state_.read(target(), bits_) : nullptr;
  if (!a) return false;
  Type* const wider = builder_.getIntNTy(bits_ + 1);
  const auto extend = [&](Value* value) { return builder_.CreateZExt(value, wider); };
  Value* const all = base_ == "adc" ? builder_.CreateAdd(builder_.CreateAdd(extend(a), extend(b)), extend(carry))
                                    : builder_.CreateSub(builder_.CreateSub(extend(a), extend(b)), extend(carry));
  flags = Flags::of_carry(builder_.CreateTrunc(builder_.CreateLShr(all, bits_), builder_.getInt1Ty()));
  return state_.write(target(), bits_, builder_.CreateTrunc(all, builder_.getIntNTy(bits_)));
}

bool AssemblyInstructions::emit_compare() {
  if (!has(2) || s_->lock) return false;
  Value* const b = state_.read(source(), bits_);
  Value* const a = b ? state_.read(target(), bits_) : nullptr;
  if (!a) return false;
  flags = base_ == "cmp" ? Flags::of(Flags::subtraction, a, b, builder_.CreateSub(a, b))
                         : Flags::of(Flags::logic, a, b, builder_.CreateAnd(a, b));
  return true;
}

// lock neg is no operation that the runtime has: a point, and then the instruction itself.
void AssemblyInstructions::native_negation(Value* address) {
  context_.hooks.call(
      builder_, Hook::inspect_atomic_point,
      {address, context_.word(bits_ / 8), context_.word(INSPECT_SEQ_CST), context_.word(INSPECT_OP_AtomicRmw), site(address)});
  const std::string text = std::string("lock; neg") + "bwlq"[Log2_32(bits_ / 8)] + " ($0)";
  auto* const type = FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy()}, false);
  CallInst* const call =
      builder_.CreateCall(InlineAsm::get(type, text, "r,~{memory},~{dirflag},~{fpsr},~{flags}", true), address);
  call->setDoesNotThrow();
  set_known(*call);
}

bool AssemblyInstructions::emit_unary() {
  if (!has(1)) return false;
  Type* const type = builder_.getIntNTy(bits_);
  if (base_ == "neg" && s_->lock) {
    Value* const address = state_.address(target());
    if (address) native_negation(address);
    flags = {};
    return address != nullptr;
  }
  const bool negates = base_ == "neg", inverts = base_ == "not";
  const AtomicRMWInst::BinOp operation = inverts ? AtomicRMWInst::Xor : operation_of(base_);
  Value* const b = inverts ? Constant::getAllOnesValue(type) : ConstantInt::get(type, 1);
  Value* const old = is_locked_memory() ? locked(operation, b) : state_.read(target(), bits_);
  if (!old) return false;
  Value* const a = negates ? Constant::getNullValue(type) : old;
  Value* const result = negates ? builder_.CreateNeg(old) : combine(builder_, operation, old, b);
  if (negates)
    flags = Flags::of(Flags::subtraction, a, old, result);
  else if (!inverts)
    flags = Flags::without_carry_of(flags_of(operation), a, b, result);
  return is_locked_memory() || state_.write(target(), bits_, result);
}

// With memory it is locked, whatever the text says.
bool AssemblyInstructions::emit_exchange() {
  if (!has(2)) return false;
  const unsigned memory = state_.is_memory(source()) ? 0 : 1;
  const TextOperand &place = s_->operands[memory], &other = s_->operands[1 - memory];
  if (state_.is_memory(other) || other.kind != TextOperand::value) return false;
  if (!state_.is_memory(place)) {
    // Programs save registers so that they do not own, and give them back.
    const auto read = [&](const TextOperand& o) {
      return o.of.is_argument ? state_.read(o, bits_) : state_.get({o.of.reg.number, bits_, o.of.reg.high}, true);
    };
    Value *const a = read(place), *const b = read(other);
    return a && b && state_.write(place, bits_, b) && state_.write(other, bits_, a);
  }
  Value* const value = state_.read(other, bits_);
  Value* const address = value ? state_.address(place) : nullptr;
  if (!address) return false;
  Value* const old =
      builder_.CreateAtomicRMW(AtomicRMWInst::Xchg, address, value, Align(bits_ / 8), AtomicOrdering::SequentiallyConsistent);
  return state_.write(other, bits_, old);
}

bool AssemblyInstructions::emit_add_exchange() {
  if (!has(2) || state_.is_memory(source())) return false;
  Value* const b = state_.read(source(), bits_);
  if (!b) return false;
  Value* const a = is_locked_memory() ? locked(AtomicRMWInst::Add, b) : state_.read(target(), bits_);
  if (!a) return false;
  Value* const sum = builder_.CreateAdd(a, b);
  flags = Flags::of(Flags::addition, a, b, sum);
  if (!state_.write(source(), bits_, a)) return false;
  return is_locked_memory() || state_.write(target(), bits_, sum);
}

// The old value. Without a lock: a load, and then a store, also of what was there.
Value* AssemblyInstructions::locked_exchange(Value* address, Value* expected, Value* desired, Value*& success) {
  const unsigned bits = desired->getType()->getIntegerBitWidth();
  if (s_->lock) {
    auto* exchange =
        builder_.CreateAtomicCmpXchg(address, expected, desired, Align(bits / 8), AtomicOrdering::SequentiallyConsistent,
                                     AtomicOrdering::SequentiallyConsistent);
    success = builder_.CreateExtractValue(exchange, 1);
    return builder_.CreateExtractValue(exchange, 0);
  }
  Value* const old = state_.load(address, bits);
  success = builder_.CreateICmpEQ(old, expected);
  state_.store(address, builder_.CreateSelect(success, desired, old));
  return old;
}

bool AssemblyInstructions::emit_compare_exchange() {
  if (!has(2) || !state_.is_memory(target())) return false;
  Value* const desired = state_.read(source(), bits_);
  Value* const expected = state_.get(reg(kRax, bits_));
  Value* const address = state_.address(target());
  if (!desired || !expected || !address) return false;
  Value* success = nullptr;
  Value* const old = locked_exchange(address, expected, desired, success);
  flags = Flags::of(Flags::subtraction, expected, old, builder_.CreateSub(expected, old));
  if (bits_ != 32) return state_.set(reg(kRax, bits_), old), true;
  // Only what is written loses its upper half.
  Value* const extended = builder_.CreateZExt(old, builder_.getInt64Ty());
  state_.set(reg(kRax, 64), builder_.CreateSelect(success, state_.get(reg(kRax, 64)), extended));
  return true;
}

Value* AssemblyInstructions::joined(Register high, Register low, unsigned half) {
  Value *const h = state_.get(reg(high, half)), *const l = state_.get(reg(low, half));
  if (!h || !l) return nullptr;
  Type* const type = builder_.getIntNTy(2 * half);
  return builder_.CreateOr(builder_.CreateShl(builder_.CreateZExt(h, type), half), builder_.CreateZExt(l, type));
}

void AssemblyInstructions::split(Value* value, Register high, Register low, unsigned half) {
  Type* const type = builder_.getIntNTy(half);
  state_.set(reg(low, half), builder_.CreateTrunc(value, type));
  state_.set(reg(high, half), builder_.CreateTrunc(builder_.CreateLShr(value, half), type));
}

bool AssemblyInstructions::emit_wide_compare_exchange(unsigned bits) {
  if (!has(1) || !state_.is_memory(target()) || (bits == 128 && !s_->lock)) return false;
  Value* const address = state_.address(target());
  Value* const expected = joined(kRdx, kRax, bits / 2);
  Value* const desired = joined(kRcx, kRbx, bits / 2);
  if (!address || !expected || !desired) return false;
  if (bits == 128) allow_wide_exchange(context_.module);
  Value* success = nullptr;
  Value* const old = locked_exchange(address, expected, desired, success);
  split(old, kRdx, kRax, bits / 2);
  flags = Flags::of_zero(success);
  return true;
}

// bt, bts, btr, btc. Of memory, a register's offset reaches beyond the operand.
bool AssemblyInstructions::emit_bit() {
  if (!has(2) || state_.is_memory(source())) return false;
  Type* const type = builder_.getIntNTy(bits_);
  Value* const offset = state_.read(source(), bits_);
  if (!offset || bits_ == 8) return false;
  Value* const bit = builder_.CreateAnd(offset, bits_ - 1);
  Value* const mask = builder_.CreateShl(ConstantInt::get(type, 1), bit);
  const bool writes = base_ != "bt";
  const AtomicRMWInst::BinOp operation = base_ == "bts"   ? AtomicRMWInst::Or
                                         : base_ == "btr" ? AtomicRMWInst::And
                                                          : AtomicRMWInst::Xor;
  Value* const operand = base_ == "btr" ? builder_.CreateNot(mask) : mask;
  Value* old = nullptr;
  if (state_.is_memory(target())) {
    Value* address = state_.address(target());
    if (!address) return false;
    if (!isa<ConstantInt>(offset)) {
      Value* const words = builder_.CreateAShr(builder_.CreateSExt(offset, builder_.getInt64Ty()), Log2_32(bits_));
      address = builder_.CreateGEP(type, address, words);
    }
    if (s_->lock && !writes) return false;
    if (s_->lock) {
      old = builder_.CreateAtomicRMW(operation, address, operand, Align(bits_ / 8), AtomicOrdering::SequentiallyConsistent);
    } else {
      old = state_.load(address, bits_);
      if (writes) state_.store(address, combine(builder_, operation, old, operand));
    }
  } else {
    old = state_.read(target(), bits_);
    if (!old || s_->lock) return false;
    if (writes && !state_.write(target(), bits_, combine(builder_, operation, old, operand))) return false;
  }
  flags = Flags::of_carry(builder_.CreateTrunc(builder_.CreateLShr(old, bit), builder_.getInt1Ty()));
  return true;
}

bool AssemblyInstructions::emit_shift() {
  if (!has(1) && !has(2)) return false;
  Value* const value = state_.read(target(), bits_);
  Value* count = has(1) ? builder_.getInt8(1) : state_.read(source(), 8);
  if (!value || !count || (has(2) && state_.is_memory(source()))) return false;
  Type* const wide = builder_.getInt64Ty();
  count = builder_.CreateAnd(builder_.CreateZExt(count, wide), bits_ == 64 ? 63 : 31);
  Type* const type = value->getType();
  Value* result = nullptr;
  if (base_ == "shl" || base_ == "sal") {
    result = builder_.CreateTrunc(builder_.CreateShl(builder_.CreateZExt(value, wide), count), type);
  } else if (base_ == "shr") {
    result = builder_.CreateTrunc(builder_.CreateLShr(builder_.CreateZExt(value, wide), count), type);
  } else if (base_ == "sar") {
    result = builder_.CreateTrunc(builder_.CreateAShr(builder_.CreateSExt(value, wide), count), type);
  } else {
    Value* const by = builder_.CreateTrunc(count, type);
    result = builder_.CreateIntrinsic(base_ == "rol" ? Intrinsic::fshl : Intrinsic::fshr, {type}, {value, value, by});
  }
  const auto* constant = dyn_cast<ConstantInt>(count);
  const bool sets_zero = constant && !constant->isZero() && base_[0] == 's';
  flags = sets_zero ? Flags::of_zero(builder_.CreateIsNull(result)) : Flags{};
  return state_.write(target(), bits_, result);
}

bool AssemblyInstructions::emit_scan() {
  if (base_ == "bswap") {
    Value* const value = has(1) && bits_ >= 32 && !state_.is_memory(target()) ? state_.read(target(), bits_) : nullptr;
    return value && state_.write(target(), bits_, builder_.CreateUnaryIntrinsic(Intrinsic::bswap, value));
  }
  if (!has(2) || state_.is_memory(target())) return false;
  Value* const value = state_.read(source(), bits_);
  if (!value) return false;
  Value* const none = builder_.CreateIsNull(value);
  const auto count = [&](Intrinsic::ID id) { return builder_.CreateBinaryIntrinsic(id, value, builder_.getFalse()); };
  Value* result = nullptr;
  if (base_ == "popcnt") {
    result = builder_.CreateUnaryIntrinsic(Intrinsic::ctpop, value);
  } else if (base_ == "tzcnt" || base_ == "bsf") {
    result = count(Intrinsic::cttz);
  } else if (base_ == "lzcnt") {
    result = count(Intrinsic::ctlz);
  } else if (base_ == "bsr") {
    result = builder_.CreateXor(count(Intrinsic::ctlz), bits_ - 1);
  } else {
    return false;
  }
  if (base_ == "bsf" || base_ == "bsr") {  // of zero, it leaves its target as it was
    Value* kept = state_.read(target(), bits_);
    if (!kept) kept = builder_.getIntN(bits_, 0);
    result = builder_.CreateSelect(none, kept, result);
    flags = Flags::of_zero(none);
  } else {
    flags = base_ == "popcnt" ? Flags::of_zero(none) : Flags::of_carry(none);
  }
  return state_.write(target(), bits_, result);
}

bool AssemblyInstructions::emit_multiply() {
  if (!has(2) && !has(3)) return false;
  Value* const b = state_.read(source(), bits_);
  Value* const a = b ? state_.read(s_->operands[1], bits_) : nullptr;
  flags = {};
  return a && !state_.is_memory(target()) && state_.write(target(), bits_, builder_.CreateMul(a, b));
}

bool AssemblyInstructions::emit_stack() {
  if (!stack_allowed_ || !has(1) || bits_ != 64 || target().kind != TextOperand::value || state_.is_memory(target()))
    return false;
  if (base_ == "push") {
    const TextValue& of = target().of;
    Value* value = of.is_argument ? state_.read(target(), 64) : state_.get({of.reg.number, 64, false}, true);
    if (value) stack_.push_back(value);
    return value != nullptr;
  }
  return !stack_.empty() && state_.write(target(), 64, stack_.pop_back_val());
}

}  // namespace inspect::pass
