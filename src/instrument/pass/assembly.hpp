// Inline assembly whose text is known becomes the operations that it stands for.
//
// Guarantees: after lift_assembly the call is gone, and its loads, stores, atomics, fences, branches and arithmetic stand in
// its place as LLVM IR, which the other steps treat as any; or nothing has changed. Locked instructions and xchg are seq_cst
// read-modify-writes; other accesses of memory are atomic loads (acquire) and stores (release); an instruction that reads and
// writes memory without a lock is one of each.
#pragma once
#include "instrument/pass/assembly_text.hpp"
#include "instrument/pass/steps.hpp"

namespace inspect::pass {

// What inline assembly is, when it stays as it is.
enum class Nature { harmless, memory, loop, system_call, thread };

bool lift_assembly(Context& context, llvm::CallBase& call, const std::vector<Statement>& statements);
Nature nature_of(const llvm::CallBase& call, const std::optional<std::vector<Statement>>& statements);

// Does it jump? Then it is better lifted, even if it touches nothing.
bool has_jumps(const std::vector<Statement>& statements);

// Assembly that the pass has put there itself, with hooks for what it touches.
void set_known(llvm::CallBase& call);
bool is_known(const llvm::CallBase& call);

}  // namespace inspect::pass
