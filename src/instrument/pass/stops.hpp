// Calls that a function can be stopped in: another thread may run before they return.
//
// Deliberately unknown here: what is alive there.
#pragma once
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace inspect::pass {

enum class Stop : uint8_t {
  none,
  served,   // the runtime serves the call: the function is stopped right before its effect
  in_calls  // what is called can be stopped in itself, or is not known
};

class Stops {
 public:
  explicit Stops(const llvm::Module& module);
  [[nodiscard]] Stop of(const llvm::CallBase& call) const;
  // Can anything but a call of this module by name lead into the function? As it was at construction: tables take addresses
  // too.
  [[nodiscard]] bool is_open(const llvm::Function& function) const { return !closed_.contains(&function); }

 private:
  [[nodiscard]] Stop of_unseen(llvm::StringRef name) const;

  llvm::DenseSet<const llvm::Function*> stopping_, closed_;
};

}  // namespace inspect::pass
