#include "instrument/pass/assembly_flags.hpp"

#include <llvm/ADT/StringSwitch.h>

using namespace llvm;

namespace inspect::pass {

namespace {

Value* is_negative(IRBuilder<>& builder, Value* value) {
  return builder.CreateICmpSLT(value, Constant::getNullValue(value->getType()));
}

}  // namespace

Value* Flags::carry(IRBuilder<>& builder) const {
  if (kind_ == given) return carry_;
  if (kind_ == unknown || keeps_carry_) return nullptr;
  if (kind_ == logic) return builder.getFalse();
  return kind_ == addition ? builder.CreateICmpULT(result_, a_) : builder.CreateICmpULT(a_, b_);
}

Value* Flags::zero(IRBuilder<>& builder) const {
  if (kind_ == given) return zero_;
  return result_ ? builder.CreateIsNull(result_) : nullptr;
}

Value* Flags::sign(IRBuilder<>& builder) const { return result_ ? is_negative(builder, result_) : nullptr; }

Value* Flags::overflow(IRBuilder<>& builder) const {
  if (!result_) return nullptr;
  if (kind_ == logic) return builder.getFalse();
  Value* other = kind_ == addition ? builder.CreateXor(b_, result_) : builder.CreateXor(a_, b_);
  return is_negative(builder, builder.CreateAnd(builder.CreateXor(a_, result_), other));
}

Value* Flags::parity(IRBuilder<>& builder) const {
  if (!result_) return nullptr;
  Value* count = builder.CreateUnaryIntrinsic(Intrinsic::ctpop, builder.CreateTrunc(result_, builder.getInt8Ty()));
  return builder.CreateNot(builder.CreateTrunc(count, builder.getInt1Ty()));
}

Value* Flags::condition(IRBuilder<>& builder, StringRef name) const {
  const auto both = [](Value* a, Value* b, auto&& combine) -> Value* { return a && b ? combine(a, b) : nullptr; };
  const auto either = [&](Value* a, Value* b) {
    return both(a, b, [&](Value* x, Value* y) { return builder.CreateOr(x, y); });
  };
  const auto differ = [&](Value* a, Value* b) {
    return both(a, b, [&](Value* x, Value* y) { return builder.CreateXor(x, y); });
  };
  const StringRef positive = StringSwitch<StringRef>(name)
                                 .Cases("nc", "nb", "ae", "c")
                                 .Cases("nz", "ne", "z")
                                 .Case("ns", "s")
                                 .Case("no", "o")
                                 .Cases("np", "po", "p")
                                 .Cases("a", "nbe", "be")
                                 .Cases("ge", "nl", "l")
                                 .Cases("g", "nle", "le")
                                 .Default("");
  if (!positive.empty()) {
    Value* value = condition(builder, positive);
    return value ? builder.CreateNot(value) : nullptr;
  }
  if (name == "c" || name == "b" || name == "nae") return carry(builder);
  if (name == "z" || name == "e") return zero(builder);
  if (name == "s") return sign(builder);
  if (name == "o") return overflow(builder);
  if (name == "p" || name == "pe") return parity(builder);
  if (name == "be" || name == "na") return either(carry(builder), zero(builder));
  if (name == "l" || name == "nge") return differ(sign(builder), overflow(builder));
  if (name == "le" || name == "ng") return either(zero(builder), differ(sign(builder), overflow(builder)));
  return nullptr;
}

}  // namespace inspect::pass
