// The text of inline assembly as statements: what an assembler for x86-64 would read, in either dialect.
//
// Guarantees: operands stand in AT&T's order, sources first, whatever the dialect; a text that is not understood wholly gives
// nothing. Deliberately unknown here: what the instructions do (assembly_lift.cpp), and whether they exist.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InlineAsm.h>

namespace inspect::pass {

// The general registers by the numbers that instructions have for them.
enum Register : unsigned { kRax, kRcx, kRdx, kRbx, kRsp, kRbp, kRsi, kRdi, kR8, kR15 = 15, kRegisters };

struct RegisterName {
  unsigned number = 0, bits = 64;
  bool high = false;  // ah, bh, ch, dh
};
std::optional<RegisterName> register_named(llvm::StringRef name);

// A register, or a placeholder for an operand of the assembly (`$1`, `${1:b}`).
struct TextValue {
  bool is_argument = false;
  RegisterName reg;
  unsigned argument = 0;
  char modifier = 0;
};

struct TextOperand {
  enum Kind { value, immediate, memory, label, other };
  Kind kind = other;
  TextValue of;        // value
  int64_t number = 0;  // immediate; displacement
  // memory: segment, base, index * scale; or a memory operand of the assembly as the base, then `is_place` holds
  std::string segment;
  std::optional<TextValue> base, index;
  unsigned scale = 1, bits = 0;  // bits: as Intel's dialect may say, or 0
  std::string name;              // label, and what else stands there
};

struct Statement {
  std::vector<std::string> labels;  // that stand before it
  bool lock = false, repeat = false, repeat_unequal = false;
  std::string mnemonic;  // lower case; empty for labels at the end
  llvm::SmallVector<TextOperand, 3> operands;
};

std::optional<std::vector<Statement>> parse_assembly(const llvm::InlineAsm& assembly);

// The statement that a label operand (`1b`, `2f`, a name) at statement `from` refers to.
std::optional<size_t> find_label(const std::vector<Statement>& statements, size_t from, llvm::StringRef name);

}  // namespace inspect::pass
