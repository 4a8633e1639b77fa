// The module's instrumentation: passes before, within and behind the optimiser.
//
// MarkPass, at the start of the pipeline: hooks stand before every access of the source, so that no optimisation can lose or
// merge one (an optimiser may drop a load whose value is unused, or turn `while (!flag);` into one load: a race would vanish
// with it).
//
// PrunePass, while the optimiser inlines: hooks on objects now seen not to escape go, which frees these objects for registers
// again.
//
// FinishPass, at the end: redundant hooks within a block go, loops get their counters, unknown calls their entries, sites their
// inlining chain.
#pragma once
#include <llvm/IR/PassManager.h>

namespace inspect::pass {

struct MarkPass : llvm::PassInfoMixin<MarkPass> {
  static bool isRequired() { return true; }
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

struct PrunePass : llvm::PassInfoMixin<PrunePass> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

struct FinishPass : llvm::PassInfoMixin<FinishPass> {
  static bool isRequired() { return true; }
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace inspect::pass
