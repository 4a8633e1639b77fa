// The hooks of hooks/hooks.def as LLVM functions.
//
// Guarantees: a hook is declared in a module only when it is called; its name and type come from hooks.def alone. Calls carry
// `nomerge`, so that no optimisation joins two hooks of different places. Deliberately unknown here: when a hook is needed.
#pragma once
#include <array>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace inspect::pass {

enum class Hook : unsigned {
#define HOOK(result, name, parameters) name,
#include "hooks/hooks.def"
  count
};

class Hooks {
 public:
  explicit Hooks(llvm::Module& module) : module_(module) {}

  // The hook's function, declared if need be.
  llvm::Function* declare(Hook hook);
  // A call of the hook at the builder's place, with the builder's debug location.
  llvm::CallInst* call(llvm::IRBuilder<>& builder, Hook hook, llvm::ArrayRef<llvm::Value*> arguments);

 private:
  llvm::Module& module_;
  std::array<llvm::Function*, unsigned(Hook::count)> functions_{};
};

// The hook that `call` calls, or Hook::count.
Hook hook_of(const llvm::CallBase& call);
// Is the name one of ours: a hook, or something else that the runtime or inspect.h provides?
bool is_own_name(llvm::StringRef name);

// Hooks of plain accesses, whose first argument is the address: these only look at memory, they do not keep the pointer.
bool is_access_hook(Hook hook);
// Those of them that tell of the begin and the end of a stack object.
bool is_life_hook(Hook hook);
bool is_read_hook(Hook hook);
// Bytes that an access hook's call covers; none for a length that is not constant.
std::optional<uint64_t> access_size(const llvm::CallBase& call, Hook hook);

}  // namespace inspect::pass
