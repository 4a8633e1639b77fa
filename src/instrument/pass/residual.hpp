// Residual classes: what a function can still execute from a point on, as a hash of the code with its locals renamed.
//
// Code is serialised from the point along the control flow, locals are numbered in order of their first occurrence, globals are
// named, constants are values, debug information and the places of hooks and assertions are left out (rules R0 to R13 of
// "Automatic discovery of transition symmetry", 2009). Functions of the module that are called by name only count by what they
// do: a partition of them is refined until it is stable. Guarantees: equal hashes mean equal code under the bijection that maps
// the i-th local to the i-th; time is bounded: a function with very many points gets classes that also tell what lies before
// the point. Deliberately unknown here: which values are alive.
#pragma once
#include <string>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace inspect::pass {

struct Hash128 {
  uint64_t low = 0, high = 0;
  void add(uint64_t value);
  friend bool operator==(const Hash128&, const Hash128&) = default;
};

// Functions of one module, in classes of those that cannot be told apart by calling them.
class FunctionClasses {
 public:
  explicit FunctionClasses(const llvm::Module& module);
  // The class of a function that is called by name only; null for others.
  [[nodiscard]] const Hash128* find(const llvm::Function& function) const;

 private:
  llvm::DenseMap<const llvm::Function*, Hash128> classes_;
};

class Residual {
 public:
  Residual(const llvm::Module& module, const FunctionClasses& classes);

  // From the instruction on; `after`: from behind the call, whose result is not known yet.
  void run(const llvm::Instruction& from, bool after);
  // The whole function.
  void run(const llvm::Function& function);
  [[nodiscard]] const Hash128& hash() const { return hash_; }
  // The locals that occur, in order.
  [[nodiscard]] llvm::ArrayRef<const llvm::Value*> order() const { return order_; }
  [[nodiscard]] size_t instructions() const { return instructions_; }

 private:
  void clear();
  void finish();
  void chain(const llvm::BasicBlock* block, llvm::BasicBlock::const_iterator at);
  void instruction(const llvm::Instruction& i);
  void attributes(const llvm::Instruction& i);
  bool address(const llvm::GetElementPtrInst& i);
  void call(const llvm::CallBase& call);
  void terminator(const llvm::Instruction& i);
  void operand(const llvm::Value* value);
  void local(const llvm::Value* value);
  void constant(const llvm::Constant* value);
  void type(const llvm::Type* type);
  void text(llvm::StringRef string);
  void edge(const llvm::BasicBlock* from, const llvm::BasicBlock* to);
  unsigned label(const llvm::BasicBlock* block);
  uint64_t rank(const llvm::Value* value) const;

  const llvm::DataLayout& layout_;
  const FunctionClasses& classes_;
  std::string module_;
  Hash128 hash_;
  size_t instructions_ = 0;
  llvm::DenseMap<const llvm::Value*, unsigned> numbers_;
  llvm::SmallVector<const llvm::Value*, 64> order_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> labels_;
  llvm::SmallVector<const llvm::BasicBlock*, 16> pending_;
};

}  // namespace inspect::pass
