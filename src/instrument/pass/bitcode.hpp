// The code of an object as clang hands it over, before any pass, kept in the object for `--engine=symbolic`.
//
// Linkers join the sections of the objects that they take, in their order, and drop those of the members of archives that they
// do not take: so an executable holds the code of exactly the objects that it was linked from (docs/decisions/0018). Each part
// is a magic, the length of the code, the code, and zeros up to a multiple of 8.
#pragma once
#include <llvm/IR/PassManager.h>

namespace inspect::pass {

// Did the user ask for it (-mllvm -inspect-bitcode)?
bool wants_bitcode();

struct KeepCodePass : llvm::PassInfoMixin<KeepCodePass> {
  static bool isRequired() { return true; }
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace inspect::pass
