#include "instrument/pass/literals.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace inspect::pass {

namespace {

bool has_name(const BasicBlock& block, std::initializer_list<StringRef> prefixes) {
  return any_of(prefixes, [&](StringRef prefix) { return block.getName().starts_with(prefix); });
}

// A body without braces has no scope of its own.
class Body {
 public:
  Body(Function& function, const Block& block, const Instruction& begin)
      : block_(block), tree_(function), loops_(tree_), made_(*begin.getParent()) {}

  void find_turns(Crossings& crossings) const {
    const Loop* loop = loops_.getLoopFor(&made_);
    if (!loop || !contains_literal(*loop)) return;
    for (BasicBlock* at : loop->blocks())
      for (BasicBlock* next : successors(at))
        if (next == loop->getHeader() || (!loop->contains(next) && has_name(*next, {"for.end", "while.end", "do.end"})))
          crossings.end_between(*at, *next);
  }

 private:
  // Is the literal made in the body of a loop that is not in braces, since the block contains the loop's head too?
  [[nodiscard]] bool contains_literal(const Loop& loop) const {
    const BasicBlock& head = *loop.getHeader();
    if (!block_.contains_start(head) || block_.begins_at(head)) return false;
    if (none_of(predecessors(&head), [](const BasicBlock* p) { return turns_loop(*p->getTerminator()); })) return false;
    bool in_body = has_name(head, {"while.body", "do.body", "for.cond"}), has_body = in_body && !has_name(head, {"for.cond"});
    for (const BasicBlock* at : loop.blocks()) {
      const bool body = has_name(*at, {"for.body", "while.body"});
      if (!tree_.dominates(at, &made_) || !is_directly_in(loop, *at)) {
        if (body && is_directly_in(loop, *at) && has_name(head, {"for.cond"})) return false;
        continue;
      }
      if (has_name(*at, {"for.inc", "do.cond"})) return false;
      has_body |= body;
    }
    return has_body || in_body;
  }
  static bool is_directly_in(const Loop& loop, const BasicBlock& block) {
    return loop.contains(&block) && none_of(loop.getSubLoops(), [&](const Loop* inner) { return inner->contains(&block); });
  }

  const Block& block_;
  const DominatorTree tree_;
  const LoopInfo loops_;
  const BasicBlock& made_;
};

Instruction* common_begin(const Function& function, ArrayRef<const Instruction*> uses) {
  const DominatorTree tree(const_cast<Function&>(function));
  const Instruction* common = nullptr;
  for (const Instruction* use : uses)
    if (tree.isReachableFromEntry(use->getParent()))
      common = common ? tree.findNearestCommonDominator(const_cast<Instruction*>(common), const_cast<Instruction*>(use)) : use;
  return const_cast<Instruction*>(common);
}

}  // namespace

bool is_literal(const AllocaInst& object) { return object.getName().starts_with(".compoundliteral"); }

std::optional<BlockLife> life_of_literal(AllocaInst& object, ArrayRef<CallBase*> jump_targets) {
  Function& function = *object.getFunction();
  AddressUses uses;
  SmallPtrSet<const Instruction*, 16> fillings;
  collect_uses(object, uses, &fillings);
  const DILocalScope* scope = nullptr;
  if (has_scopes(function)) scope = fillings.empty() ? common_scope(uses) : common_scope(fillings);
  Instruction* const begin = common_begin(function, uses.getArrayRef());
  if (!scope || !begin) return std::nullopt;
  const Block block(function, *scope);
  Crossings crossings(function, block, nullptr);
  Body(function, block, *begin).find_turns(crossings);
  BlockLife life = std::move(crossings).life(jump_targets);
  erase_if(life.events, [](const BlockLife::Event& event) { return event.begins; });
  life.events.insert(life.events.begin(), {begin, true, begin->getDebugLoc()});
  return life;
}

}  // namespace inspect::pass
