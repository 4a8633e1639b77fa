// Loops that wait in functions that were left as they are written (-O0).
//
// There `while (!flag.load());` calls three functions of the library, and all that is read goes through memory: what the loop
// waits for cannot be seen, and each turn carries what is left of the one before. So a function with a loop that reads an
// atomic object, itself or by small functions, gets these functions inlined into its loops and is simplified, as it would have
// been from -O1 on. Its hooks have been set before, so nothing that they tell of is lost.
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

constexpr unsigned kSmall = 150, kMostInlined = 1500, kMostDepth = 4;  // instructions, with hooks; calls within calls

bool is_atomic_hook(const CallBase& call) {
  const Hook hook = hook_of(call);
  return hook == Hook::inspect_atomic_load || hook == Hook::inspect_atomic_rmw || hook == Hook::inspect_atomic_cas;
}

// Does it ask for its own frame, or come back twice?
bool knows_its_frame(const CallBase& call) {
  switch (call.getIntrinsicID()) {
    case Intrinsic::returnaddress:
    case Intrinsic::addressofreturnaddress:
    case Intrinsic::frameaddress:
    case Intrinsic::localescape:
    case Intrinsic::stacksave:
    case Intrinsic::vastart:
      return true;
    default:
      return call.hasFnAttr(Attribute::ReturnsTwice);
  }
}

class Callees {
 public:
  // The function that is called there, if it is small and can be inlined.
  Function* small(const CallBase& call) {
    Function* const callee = call.getCalledFunction();
    return callee && call.getFunctionType() == callee->getFunctionType() && is_small(*callee) ? callee : nullptr;
  }

  bool reads_atomically(const CallBase& call, unsigned depth = 0) {
    if (is_atomic_hook(call)) return true;
    Function* const callee = depth < kMostDepth ? small(call) : nullptr;
    return callee && any_of(instructions(callee), [&](const Instruction& instruction) {
             const auto* const inner = dyn_cast<CallBase>(&instruction);
             return inner && reads_atomically(*inner, depth + 1);
           });
  }

 private:
  DenseMap<const Function*, bool> small_;

  bool is_small(Function& callee) {
    const auto [known, added] = small_.try_emplace(&callee, false);
    if (added) small_[&callee] = look_at(callee);
    return small_[&callee];
  }

  static bool look_at(Function& callee) {
    if (!is_instrumentable(callee) || callee.isInterposable() || callee.isVarArg() || callee.getInstructionCount() > kSmall)
      return false;
    const DominatorTree tree(callee);
    if (!LoopInfo(tree).empty() || callee.hasFnAttribute(Attribute::ReturnsTwice)) return false;
    return none_of(instructions(callee), [&](const Instruction& instruction) {
      const auto* const call = dyn_cast<CallBase>(&instruction);
      const auto* const object = dyn_cast<AllocaInst>(&instruction);
      return (call && (call->getCalledOperand() == &callee || knows_its_frame(*call))) ||
             (object && !object->isStaticAlloca()) || isa<IndirectBrInst>(instruction) || isa<CallBrInst>(instruction);
    });
  }
};

class WaitingFunction {
 public:
  WaitingFunction(Function& function, Callees& callees, FunctionAnalysisManager& analyses)
      : function_(function), callees_(callees), analyses_(analyses) {}

  void run() {
    if (!function_.hasOptNone() || function_.callsFunctionThatReturnsTwice() || !find_calls()) return;
    inline_calls();
    simplify();
  }

 private:
  Function& function_;
  Callees& callees_;
  FunctionAnalysisManager& analyses_;
  SmallVector<std::pair<CallBase*, unsigned>, 16> calls_;  // in loops, and how deep in calls

  // False: none of its loops reads an atomic object.
  bool find_calls() {
    bool waits = false;
    const LoopInfo& loops = analyses_.getResult<LoopAnalysis>(function_);
    for (Instruction& instruction : instructions(function_)) {
      auto* const call = dyn_cast<CallBase>(&instruction);
      if (!call || !loops.getLoopFor(call->getParent())) continue;
      waits |= callees_.reads_atomically(*call);
      if (callees_.small(*call)) calls_.emplace_back(call, 0);
    }
    return waits;
  }

  void inline_calls() {
    unsigned left = kMostInlined;
    while (!calls_.empty()) {
      const auto [call, depth] = calls_.pop_back_val();
      Function* const callee = callees_.small(*call);
      if (!callee || callee == &function_ || depth >= kMostDepth || callee->getInstructionCount() > left) continue;
      left -= callee->getInstructionCount();
      InlineFunctionInfo about;
      if (!InlineFunction(*call, about).isSuccess()) continue;
      for (CallBase* inner : about.InlinedCallSites) calls_.emplace_back(inner, depth + 1);
    }
  }

  void run_pass(auto&& pass) { analyses_.invalidate(function_, pass.run(function_, analyses_)); }

  void simplify() {
    function_.removeFnAttr(Attribute::OptimizeNone);  // which passes may ask for
    analyses_.invalidate(function_, PreservedAnalyses::none());
    for (unsigned i = 0; i < 2; ++i) {
      prune_local_hooks(function_);
      analyses_.invalidate(function_, PreservedAnalyses::none());
      run_pass(SROAPass(SROAOptions::PreserveCFG));
      run_pass(EarlyCSEPass());
      run_pass(SimplifyCFGPass());
      run_pass(InstCombinePass());
    }
    function_.addFnAttr(Attribute::OptimizeNone);
  }
};

}  // namespace

void simplify_waiting_functions(Module& module, FunctionAnalysisManager& analyses) {
  Callees callees;
  for (Function& function : module)
    if (is_instrumentable(function)) WaitingFunction(function, callees, analyses).run();
}

}  // namespace inspect::pass
