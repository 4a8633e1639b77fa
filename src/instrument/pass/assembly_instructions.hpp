// Single instructions of x86-64 as LLVM IR, but for jumps.
//
// Guarantees: an instruction, or a form of one, that is not known gives false; what was emitted for it by then is to be
// dropped.
#pragma once
#include "instrument/pass/assembly_flags.hpp"
#include "instrument/pass/assembly_state.hpp"
#include "instrument/pass/steps.hpp"

namespace inspect::pass {

class AssemblyInstructions {
 public:
  AssemblyInstructions(Context& context, llvm::CallBase& call, llvm::IRBuilder<>& builder, AssemblyState& state)
      : context_(context), call_(call), builder_(builder), state_(state) {}

  Flags flags;

  bool emit(const Statement& statement);
  // push and pop are followed while control goes straight on.
  void allow_stack(bool allowed) { stack_allowed_ = allowed; }
  [[nodiscard]] bool is_balanced() const { return stack_.empty(); }

 private:
  Context& context_;
  llvm::CallBase& call_;
  llvm::IRBuilder<>& builder_;
  AssemblyState& state_;
  llvm::SmallVector<llvm::Value*, 4> stack_;
  bool stack_allowed_ = false;

  // The present statement: its mnemonic without the suffix for a size, and that size; 0: not said.
  const Statement* s_ = nullptr;
  llvm::StringRef base_;
  unsigned bits_ = 0;

  bool decode();
  [[nodiscard]] const TextOperand& source() const { return s_->operands[0]; }
  [[nodiscard]] const TextOperand& target() const { return s_->operands.back(); }
  [[nodiscard]] bool has(unsigned operands) const { return s_->operands.size() == operands; }
  [[nodiscard]] bool is_locked_memory() const { return s_->lock && state_.is_memory(target()); }
  [[nodiscard]] llvm::Constant* site(llvm::Value* address) const;

  bool emit_alone();
  bool emit_processor();
  bool emit_string();
  bool emit_extending();
  bool emit_conditional();
  bool emit_move();
  bool emit_thread_pointer();
  bool emit_arithmetic();
  bool emit_with_carry();
  bool emit_compare();
  bool emit_unary();
  bool emit_exchange();
  bool emit_add_exchange();
  bool emit_compare_exchange();
  bool emit_wide_compare_exchange(unsigned bits);
  bool emit_bit();
  bool emit_shift();
  bool emit_scan();
  bool emit_multiply();
  bool emit_stack();

  bool is_stack_fence();
  llvm::Value* locked(llvm::AtomicRMWInst::BinOp operation, llvm::Value* value);
  llvm::Value* locked_exchange(llvm::Value* address, llvm::Value* expected, llvm::Value* desired, llvm::Value*& success);
  llvm::Value* joined(Register high, Register low, unsigned half);
  void split(llvm::Value* value, Register high, Register low, unsigned half);
  void native_negation(llvm::Value* address);
  llvm::Value* processor_value(unsigned which);
  void fence(llvm::AtomicOrdering ordering) { builder_.CreateFence(ordering); }
};

}  // namespace inspect::pass
