// Loops that only wait for a value: while (!flag) sched_yield();
//
// Each turn reads one atomic object, nothing else can be seen of it, and it carries nothing to the next. Whether the loop goes
// on is a comparison of the value with what was there before the loop: that is told to the hook that reads, so that the runtime
// need not take turns in vain (docs/algorithms.md, "Loops that wait for a value").
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>
#include "hooks/operation.h"
#include "hooks/site.h"
#include "instrument/pass/mutation.hpp"
#include "instrument/pass/steps.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace inspect::pass {

namespace {

// The loop goes on while `value relation operand` holds.
struct Comparison {
  inspect_relation relation;
  Value* operand;
};

inspect_relation relation_of(CmpInst::Predicate predicate) {
  switch (predicate) {
    case CmpInst::ICMP_EQ:
      return INSPECT_WAITS_EQ;
    case CmpInst::ICMP_NE:
      return INSPECT_WAITS_NE;
    case CmpInst::ICMP_ULT:
      return INSPECT_WAITS_ULT;
    case CmpInst::ICMP_ULE:
      return INSPECT_WAITS_ULE;
    case CmpInst::ICMP_UGT:
      return INSPECT_WAITS_UGT;
    case CmpInst::ICMP_UGE:
      return INSPECT_WAITS_UGE;
    case CmpInst::ICMP_SLT:
      return INSPECT_WAITS_SLT;
    case CmpInst::ICMP_SLE:
      return INSPECT_WAITS_SLE;
    case CmpInst::ICMP_SGT:
      return INSPECT_WAITS_SGT;
    case CmpInst::ICMP_SGE:
      return INSPECT_WAITS_SGE;
    default:
      return INSPECT_WAITS_NEVER;
  }
}

// Assembly that does nothing but wait a little.
bool is_pause(const InlineAsm& assembly) {
  const StringRef text = StringRef(assembly.getAsmString()).trim();
  return text.empty() || text == "pause" || text == "rep; nop" || text == "rep;nop" || text == "nop";
}

bool gives_way(const Function& callee) {
  return callee.isDeclaration() && (callee.getName() == "sched_yield" || callee.getName() == "thrd_yield");
}

class WaitingLoop {
 public:
  WaitingLoop(Context& context, Loop& loop) : context_(context), loop_(loop) {}

  void mark() {
    if (!loop_.isInnermost() || !loop_.getLoopLatch() || !loop_.getHeader()->phis().empty()) return;
    BasicBlock* const end = loop_.getExitingBlock();
    auto* const branch = end ? dyn_cast<BranchInst>(end->getTerminator()) : nullptr;
    if (!branch || !branch->isConditional() || !only_reads_once()) return;
    const auto comparison = comparison_of(branch->getCondition(), loop_.contains(branch->getSuccessor(0)));
    if (comparison) replace(*comparison);
  }

 private:
  Context& context_;
  Loop& loop_;
  CallInst* load_ = nullptr;
  SmallVector<Function*, 2> yields_;  // which the program may define in its own way

  bool only_reads_once() {
    for (BasicBlock* block : loop_.blocks()) {
      const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
      if (!branch || (branch->isConditional() && block != loop_.getExitingBlock())) return false;
      for (Instruction& instruction : *block)
        if (!changes_nothing(instruction)) return false;
    }
    return load_ && all_of(load_->args(), [&](const Use& argument) { return loop_.isLoopInvariant(argument); });
  }

  bool changes_nothing(Instruction& instruction) {
    auto* const call = dyn_cast<CallInst>(&instruction);
    if (!call) return !instruction.mayReadOrWriteMemory() && !instruction.mayThrow();
    if (const auto* assembly = dyn_cast<InlineAsm>(call->getCalledOperand())) return is_pause(*assembly) && call->arg_empty();
    if (isa<DbgInfoIntrinsic>(call) || call->getIntrinsicID() == Intrinsic::x86_sse2_pause) return true;
    if (hook_of(*call) == Hook::inspect_atomic_load) return !std::exchange(load_, call);
    Function* const callee = call->getCalledFunction();
    if (!callee || !gives_way(*callee) || !call->use_empty()) return false;
    if (program_may_define(callee->getName())) yields_.push_back(callee);
    return true;
  }

  [[nodiscard]] unsigned bits() const { return unsigned(8 * cast<ConstantInt>(load_->getArgOperand(1))->getZExtValue()); }

  // Is it all that was read, and nothing else?
  bool is_value(Value* value) const {
    const uint64_t all = bits() == 64 ? ~0ull : (1ull << bits()) - 1;
    if (value == load_) return bits() == 64;
    return match(value, m_Trunc(m_Specific(load_))) ? value->getType()->getScalarSizeInBits() == bits()
                                                    : match(value, m_And(m_Specific(load_), m_SpecificInt(all)));
  }

  // Some bits of what was read; 0 if it is something else.
  uint64_t mask_of(Value* value) const {
    const APInt* mask = nullptr;
    if (match(value, m_And(m_Specific(load_), m_APInt(mask))) || match(value, m_And(m_Trunc(m_Specific(load_)), m_APInt(mask))))
      return mask->getZExtValue() >> 32 ? 0 : mask->getZExtValue();
    return 0;
  }

  std::optional<Comparison> masked(uint64_t mask, uint64_t with, bool equal) const {
    return Comparison{equal ? INSPECT_WAITS_MASKED_EQ : INSPECT_WAITS_MASKED_NE, context_.wide(mask << 32 | with)};
  }

  // on: whether the loop goes on where the condition holds.
  std::optional<Comparison> comparison_of(Value* condition, bool on) const {
    Value* inner = nullptr;
    if (match(condition, m_Not(m_Value(inner)))) return comparison_of(inner, !on);
    const bool is_bool = match(condition, m_Trunc(m_Specific(load_))) || match(condition, m_Trunc(m_Trunc(m_Specific(load_))));
    if (is_bool) return masked(1, 1, on);
    auto* const compare = dyn_cast<ICmpInst>(condition);
    if (!compare) return std::nullopt;
    Value *left = compare->getOperand(0), *right = compare->getOperand(1);
    CmpInst::Predicate predicate = on ? compare->getPredicate() : compare->getInversePredicate();
    if (loop_.isLoopInvariant(left)) {
      std::swap(left, right);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    if (!loop_.isLoopInvariant(right)) return std::nullopt;
    if (Value* integer = nullptr; match(left, m_IntToPtr(m_Value(integer)))) left = integer;
    if (is_value(left)) return Comparison{relation_of(predicate), right};
    const uint64_t mask = mask_of(left);
    const auto* const with = dyn_cast<ConstantInt>(right);
    if (!mask || !with || with->getZExtValue() >> 32 || !CmpInst::isEquality(predicate)) return std::nullopt;
    return masked(mask, with->getZExtValue(), predicate == CmpInst::ICMP_EQ);
  }

  void replace(const Comparison& comparison) {
    IRBuilder<> builder(load_);
    Value* operand = comparison.operand;
    if (operand->getType()->isPointerTy()) operand = builder.CreatePtrToInt(operand, builder.getInt64Ty());
    operand = builder.CreateZExtOrTrunc(operand, builder.getInt64Ty());
    Value* relation = context_.word(comparison.relation);
    for (Function* yield : yields_)  // one of the program's may do anything
      relation = builder.CreateSelect(builder.CreateIsNull(owner_of(builder, library_use(context_.module, *yield))), relation,
                                      context_.word(INSPECT_WAITS_NEVER));
    SmallVector<Value*, 6> arguments(load_->args());
    arguments.append({relation, operand});
    CallInst* const wait = context_.hooks.call(builder, Hook::inspect_atomic_wait, arguments);
    wait->takeName(load_);
    load_->replaceAllUsesWith(wait);
    load_->eraseFromParent();
  }
};

}  // namespace

void mark_waits(Context& context, LoopInfo& loops) {
  for (Loop* loop : loops.getLoopsInPreorder()) WaitingLoop(context, *loop).mark();
}

}  // namespace inspect::pass
