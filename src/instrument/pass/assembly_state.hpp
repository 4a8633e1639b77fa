// Registers, operands and memory of one inline assembly, while it is turned into LLVM IR.
//
// Guarantees: an operand that shares a register with another (`"0"`, `"+r"`, two of `"a"`) shares its value; narrow writes
// change what the processor would change. An access to memory is an atomic load (acquire) or store (release) of its size, which
// is what the processor promises for aligned ones, and a point where other threads may come in. What is not understood gives
// null or false.
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include "instrument/pass/assembly_text.hpp"

namespace inspect::pass {

class AssemblyState {
 public:
  AssemblyState(llvm::CallBase& call, llvm::IRBuilder<>& builder);

  // The values of the inputs; false: an operand of a kind that is not understood.
  bool take_inputs();
  // One value per result of the call, in order. flag: the truth of a flag output's condition.
  bool outputs(llvm::function_ref<llvm::Value*(llvm::StringRef)> flag, llvm::SmallVectorImpl<llvm::Value*>& values);

  // --- Operands ---
  [[nodiscard]] bool is_memory(const TextOperand& operand) const;
  [[nodiscard]] bool is_argument_memory(const TextValue& value) const;
  // The bits that the operand's own form says, or 0.
  [[nodiscard]] unsigned bits_of(const TextOperand& operand) const;
  llvm::Value* read(const TextOperand& operand, unsigned bits);
  bool write(const TextOperand& operand, unsigned bits, llvm::Value* value);
  // The address of a memory operand; null for another kind, or one that is relative to what is not known.
  llvm::Value* address(const TextOperand& operand);
  // The same as a number, for any memory operand: lea.
  llvm::Value* address_number(const TextOperand& operand);
  // The label of an `asm goto` that the operand names: the number of the indirect destination.
  [[nodiscard]] std::optional<unsigned> destination(const TextOperand& operand) const;

  // --- Registers ---
  llvm::Value* get(RegisterName reg, bool may_be_unset = false);
  void set(RegisterName reg, llvm::Value* value);

  llvm::Value* load(llvm::Value* address, unsigned bits);
  void store(llvm::Value* address, llvm::Value* value);

  // --- Control flow: the values at the head of a block that is jumped to ---
  using Values = llvm::DenseMap<unsigned, llvm::Value*>;
  // Registers that the statements or the operands mention.
  void find_variables(const std::vector<Statement>& statements);
  llvm::SmallVector<llvm::PHINode*, 8> make_phis(llvm::BasicBlock& block) const;
  void add_incoming(llvm::ArrayRef<llvm::PHINode*> phis, llvm::BasicBlock& from) const;
  void enter(llvm::ArrayRef<llvm::PHINode*> phis);

 private:
  struct Argument {
    bool is_memory = false;
    unsigned variable = ~0u;         // a number of values_: a register's, or kRegisters and more; ~0: none
    unsigned bits = 0;               // of a value
    llvm::Value* pointer = nullptr;  // memory
    bool may_be_immediate = false;
    std::optional<unsigned> destination;
  };

  llvm::CallBase& call_;
  llvm::IRBuilder<>& builder_;
  const llvm::DataLayout& layout_;
  llvm::InlineAsm::ConstraintInfoVector constraints_;
  std::vector<Argument> arguments_;
  Values values_;
  llvm::SmallVector<unsigned, 8> variables_;

  bool take_output(unsigned number, const llvm::InlineAsm::ConstraintInfo& constraint, unsigned& passed, unsigned& result);
  bool take_input(unsigned number, const llvm::InlineAsm::ConstraintInfo& constraint, llvm::Value* value);
  [[nodiscard]] llvm::Type* result_type(unsigned result) const;
  llvm::Value* whole(llvm::Value* value);
  [[nodiscard]] std::optional<RegisterName> place_of(const TextValue& value) const;
  llvm::Value* part(unsigned variable, RegisterName name, bool may_be_unset);
  void set_part(unsigned variable, RegisterName name, llvm::Value* value);
  llvm::Value* read_value(const TextValue& value, unsigned bits);
  llvm::Value* full(const TextValue& value);
};

}  // namespace inspect::pass
