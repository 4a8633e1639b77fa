// Which stack objects other threads cannot reach.
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>

namespace inspect::pass {

// An alloca or a byval argument.
bool is_stack_object(const llvm::Value* value);
// Is everything that `address` may point to constant?
bool is_constant_memory(const llvm::Value* address);

// Answers stay valid as long as no instruction is added that lets an address out.
class Escape {
 public:
  // Is `address` certainly within objects of this activation whose address never leaves it?
  bool is_local(const llvm::Value* address);
  // Can the address of this object (an alloca or a byval argument) leave the function? Our own access hooks do not count.
  bool escapes(const llvm::Value* object);
  // Takes the object for one that escapes from now on.
  void keep(const llvm::Value* object) { escapes_[object] = true; }

 private:
  llvm::DenseMap<const llvm::Value*, bool> escapes_;
};

}  // namespace inspect::pass
