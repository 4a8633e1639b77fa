// The single rewritings that the passes of instrument.hpp are made of. Each is a function over a module or function; they share
// nothing but hooks and sites.
#pragma once
#include <llvm/Analysis/LoopInfo.h>
#include "instrument/pass/hooks.hpp"
#include "instrument/pass/sites.hpp"

namespace llvm {
class IntrinsicInst;
class ScalarEvolution;
}  // namespace llvm

namespace inspect::pass {

struct Context {
  llvm::Module& module;
  const llvm::DataLayout& layout;
  Hooks hooks;
  Sites sites;

  explicit Context(llvm::Module& m) : module(m), layout(m.getDataLayout()), hooks(m), sites(m) {}
  llvm::Constant* word(uint64_t value) const {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(module.getContext()), value);
  }
  llvm::Constant* wide(uint64_t value) const {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()), value);
  }
};

// Does this function's code run in the checked program, so that it can carry hooks?
bool is_instrumentable(const llvm::Function& function);

// Where control leaves the function by returning or unwinding.
llvm::SmallVector<llvm::Instruction*, 8> exits_of(llvm::Function& function);

// --- mark ---
// Renames main to inspect_program_main.
void rename_main(llvm::Module& module);
// Where the address of a library function with effects is taken, that of an instrumented function takes its place that calls
// it.
void redirect_library_addresses(llvm::Module& module);
// Takes away what the hooks falsify (memory(none), nosync, …) and asks the optimiser not to invent loads.
void weaken_attributes(llvm::Module& module);
// thread_local variables become blocks of the runtime.
void rewrite_thread_locals(Context& context);
// Plain loads, stores, memory intrinsics.
void mark_accesses(Context& context, llvm::Function& function);
// Atomics and fences become calls of the hooks that perform them.
void replace_atomics(Context& context, llvm::Function& function);
// Inline assembly that is understood becomes the operations it stands for: before the accesses are marked.
void lift_all_assembly(Context& context, llvm::Function& function);
// Other inline assembly, and instructions that read the machine's state.
void mark_unknown_instructions(Context& context, llvm::Function& function);
// Vector instructions with masks and other known intrinsics: accesses of what they touch. False: not known.
bool mark_masked(Context& context, llvm::IntrinsicInst& intrinsic);
// Functions of namespace std are the library's own; operators new and delete are replaced at will.
bool program_may_define(llvm::StringRef name);
// What the runtime is asked about a function with a row: an inspect_library_use; and the answer, a number of inspect_owner.
llvm::GlobalVariable* library_use(llvm::Module& module, llvm::Function& callee);
llvm::Value* owner_of(llvm::IRBuilder<>& builder, llvm::GlobalVariable* use);
// Of functions that nothing calls any more.
void drop_library_uses(llvm::Module& module);
// With a table of code the hooks of library calls get their conditions after it was written.
void guard_library_hooks(llvm::Function& function);
// The hook gets the condition that the other one will get, which stands behind it.
void keep_with(llvm::CallInst& hook, const llvm::Instruction& other);
// Accesses that may lie beyond a variable of known size: a comparison, and a hook behind it. Before the accesses are marked.
void check_bounds(Context& context, llvm::Function& function);
// Likewise, but of the ranges that library calls touch: after those are marked.
void check_bounds_of_calls(Context& context, llvm::Function& function);
// Calls of library functions with known ranges.
void mark_library_calls(Context& context, llvm::Function& function);
// Where stack objects that others may know begin and end.
void mark_stack_objects(Context& context, llvm::Function& function);
// Bodies of functions named __VERIFIER_atomic_*.
void mark_atomic_function(Context& context, llvm::Function& function);
// The lock in a std::atomic of a shared_ptr: libstdc++ gives it up with weaker orders than what it protects needs.
void order_unlocking(llvm::Function& function);
// Bodies of std::lock, which takes several locks at once.
void mark_multiple_lock(Context& context, llvm::Function& function);

// --- prune, finish ---
// Removes hooks on stack objects that do not escape; true when something changed.
bool prune_local_hooks(llvm::Function& function);
// Objects whose ends are told of keep a place of their own.
void separate_stack_objects(llvm::Function& function);
void drop_redundant_hooks(llvm::Function& function);
void mark_unused_results(llvm::Function& function);
// Functions at -O0 that may wait in a loop are simplified as from -O1 on. Before anything else is finished.
void simplify_waiting_functions(llvm::Module& module, llvm::FunctionAnalysisManager& analyses);
// Loops that only wait for a value tell of it. Before they count their turns.
void mark_waits(Context& context, llvm::LoopInfo& loops);
// Loops count their turns, and hand over what they carry.
void mark_loops(Context& context, llvm::Function& function, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution);
// Calls that may change something although no hook tells of it.
void mark_disturbing_calls(Context& context, llvm::Function& function);
// Calls and addresses of functions that no table describes and whose code is not seen.
void mark_external_calls(Context& context, llvm::Function& function);
// Where addresses of objects and numbers of threads are seen.
void mark_address_uses(Context& context, llvm::Function& function);
// Sites of inlined hooks get their chain of call sites.
void complete_sites(Context& context, llvm::Function& function);
// The table of the module's functions.
void list_functions(llvm::Module& module);
// For which hooks it was made: a word in the section "inspect_version".
void write_version(llvm::Module& module);

}  // namespace inspect::pass
