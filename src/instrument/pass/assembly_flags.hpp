// The flags of x86-64 as values of LLVM IR, computed only when they are asked for.
#pragma once
#include <llvm/IR/IRBuilder.h>

namespace inspect::pass {

class Flags {
 public:
  enum Kind { unknown, addition, subtraction, logic, without_carry, given };

  // The flags after `a + b`, `a - b`, or an operation on bits, of which `result` is the outcome.
  static Flags of(Kind kind, llvm::Value* a, llvm::Value* b, llvm::Value* result) {
    Flags flags;
    flags.kind_ = kind, flags.a_ = a, flags.b_ = b, flags.result_ = result;
    return flags;
  }
  // inc, dec: as an addition or subtraction, but the carry is not known here.
  static Flags without_carry_of(Kind kind, llvm::Value* a, llvm::Value* b, llvm::Value* result) {
    Flags flags = of(kind, a, b, result);
    flags.keeps_carry_ = true;
    return flags;
  }
  static Flags of_carry(llvm::Value* carry) {
    Flags flags;
    flags.kind_ = given, flags.carry_ = carry;
    return flags;
  }
  static Flags of_zero(llvm::Value* zero) {
    Flags flags;
    flags.kind_ = given, flags.zero_ = zero;
    return flags;
  }

  // The truth of a condition ("z", "nae", …); null where a flag that it needs is not known or there is no such condition.
  [[nodiscard]] llvm::Value* condition(llvm::IRBuilder<>& builder, llvm::StringRef name) const;

 private:
  Kind kind_ = unknown;
  bool keeps_carry_ = false;
  llvm::Value *a_ = nullptr, *b_ = nullptr, *result_ = nullptr, *carry_ = nullptr, *zero_ = nullptr;

  [[nodiscard]] llvm::Value* carry(llvm::IRBuilder<>& builder) const;
  [[nodiscard]] llvm::Value* zero(llvm::IRBuilder<>& builder) const;
  [[nodiscard]] llvm::Value* sign(llvm::IRBuilder<>& builder) const;
  [[nodiscard]] llvm::Value* overflow(llvm::IRBuilder<>& builder) const;
  [[nodiscard]] llvm::Value* parity(llvm::IRBuilder<>& builder) const;
};

}  // namespace inspect::pass
