// The pass plugin: puts the passes of instrument.hpp into clang's pipelines, and gives them names for opt.
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include "instrument/pass/allocated_types.hpp"
#include "instrument/pass/bitcode.hpp"
#include "instrument/pass/code_table.hpp"
#include "instrument/pass/frames.hpp"
#include "instrument/pass/instrument.hpp"
#include "instrument/pass/main_name.hpp"
#include "instrument/pass/steps.hpp"
#include "instrument/pass/uninitialised.hpp"

using namespace llvm;

namespace inspect::pass {

PreservedAnalyses MarkPass::run(Module& module, ModuleAnalysisManager&) {
  list_allocated_types(module);
  Context context(module);
  rename_main(module);
  redirect_library_addresses(module);
  weaken_attributes(module);
  SmallVector<Function*, 64> functions;
  for (Function& function : module)
    if (is_instrumentable(function)) functions.push_back(&function);
  for (Function* function : functions) {
    order_unlocking(*function);
    fill_uninitialised_objects(context, *function);
    lift_all_assembly(context, *function);
    check_bounds(context, *function);
    mark_accesses(context, *function);
    mark_library_calls(context, *function);
    check_bounds_of_calls(context, *function);
    mark_unknown_instructions(context, *function);
    replace_atomics(context, *function);
    mark_stack_objects(context, *function);
    mark_atomic_function(context, *function);
    mark_multiple_lock(context, *function);
  }
  rewrite_thread_locals(context);
  return PreservedAnalyses::none();
}

PreservedAnalyses PrunePass::run(Function& function, FunctionAnalysisManager&) {
  if (!prune_local_hooks(function)) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

namespace {

// Between two accesses to one place a handler of a signal may run.
bool installs_handlers(const Module& module) {
  return any_of(std::initializer_list<StringRef>{"sigaction", "signal", "sigset", "bsd_signal", "sysv_signal", "__sysv_signal"},
                [&](StringRef name) { return module.getFunction(name) != nullptr; });
}

}  // namespace

PreservedAnalyses FinishPass::run(Module& module, ModuleAnalysisManager& analyses) {
  Context context(module);
  const bool handlers = installs_handlers(module);
  auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  if (!wants_code()) simplify_waiting_functions(module, functions);  // the table knows the code as it is
  for (Function& function : module) {
    if (!is_instrumentable(function)) continue;
    prune_local_hooks(function);
    separate_stack_objects(function);
    if (!wants_code() && !handlers) drop_redundant_hooks(function);  // the table tells of each read by its own place
    mark_unused_results(function);
    complete_sites(context, function);
    functions.invalidate(function, PreservedAnalyses::none());
    if (wants_code()) continue;  // the table knows plain loads
    mark_waits(context, functions.getResult<LoopAnalysis>(function));
  }
  std::optional<Frames> frames;
  if (wants_frames()) frames.emplace(context).find();
  for (Function& function : module) {
    if (!is_instrumentable(function)) continue;
    functions.invalidate(function, PreservedAnalyses::none());
    mark_loops(context, function, functions.getResult<LoopAnalysis>(function),
               functions.getResult<ScalarEvolutionAnalysis>(function));
    mark_disturbing_calls(context, function);
    mark_external_calls(context, function);
  }
  if (frames) {
    frames->write();
    for (Function& function : module)
      if (is_instrumentable(function)) mark_address_uses(context, function);
  }
  if (wants_code()) {
    write_code_table(context);
    for (Function& function : module) guard_library_hooks(function);
  }
  drop_library_uses(module);
  list_functions(module);
  write_version(module);
  restore_main_name(module);
  Sites::drop_unused(module);
  return PreservedAnalyses::none();
}

namespace {

void add_finish(ModulePassManager& passes, bool optimised) {
  if (optimised) passes.addPass(GlobalDCEPass());  // what is gone need not be listed, nor kept alive by the list
  passes.addPass(FinishPass());
}

void add_to_clang(PassBuilder& builder) {
  builder.registerPipelineStartEPCallback([](ModulePassManager& passes, OptimizationLevel) {
    if (wants_bitcode()) passes.addPass(KeepCodePass());
    passes.addPass(MarkPass());
  });
  builder.registerPeepholeEPCallback([](FunctionPassManager& passes, OptimizationLevel) {
    passes.addPass(PrunePass());
    passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  });
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager& passes, OptimizationLevel level) { add_finish(passes, level != OptimizationLevel::O0); });
}

bool parse_module_pass(StringRef name, ModulePassManager& passes, ArrayRef<PassBuilder::PipelineElement>) {
  if (name == "inspect-mark")
    passes.addPass(MarkPass());
  else if (name == "inspect-prune")
    passes.addPass(createModuleToFunctionPassAdaptor(PrunePass()));
  else if (name == "inspect-finish")
    add_finish(passes, false);
  else
    return false;
  return true;
}

}  // namespace

}  // namespace inspect::pass

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "inspect", "1", [](PassBuilder& builder) {
            inspect::pass::add_to_clang(builder);
            builder.registerPipelineParsingCallback(inspect::pass::parse_module_pass);
          }};
}
