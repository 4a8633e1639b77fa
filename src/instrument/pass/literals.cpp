#include "instrument/pass/literals.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include "instrument/pass/temporaries.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

const DILocalScope* scope_of(const Instruction& instruction) {
  const DILocation* place = instruction.getDebugLoc();
  return place && place->getLine() ? place->getScope()->getNonLexicalBlockFileScope() : nullptr;
}

const DILocalScope* outer_scope(const DILocalScope* scope) {
  const auto* block = dyn_cast<DILexicalBlockBase>(scope);
  return block ? block->getScope()->getNonLexicalBlockFileScope() : nullptr;
}

bool is_within(const DILocalScope* inner, const DILocalScope* outer) {
  while (inner && inner != outer) inner = outer_scope(inner);
  return inner;
}

bool has_scopes(const Function& function) {
  const DISubprogram* subprogram = function.getSubprogram();
  return subprogram && subprogram->getUnit() && subprogram->getUnit()->getEmissionKind() == DICompileUnit::FullDebug;
}

// Does the use fill a part of the literal?
bool fills(const Instruction& user, const Use& use) {
  if (isa<StoreInst>(user)) return use.getOperandNo() == StoreInst::getPointerOperandIndex();
  const auto* call = dyn_cast<CallBase>(&user);
  return call && use.getOperandNo() == 0 && (isa<AnyMemIntrinsic>(call) || call->hasStructRetAttr());
}

using Uses = SmallSetVector<const Instruction*, 16>;

// Uses of the address by the code that makes the literal and that hands it over for the first time; those that make it.
void collect_uses(const Value& address, Uses& uses, Uses& fillings) {
  for (const Use& use : address.uses()) {
    const auto* user = cast<Instruction>(use.getUser());
    const auto* phi = dyn_cast<PHINode>(user);
    if (fills(*user, use)) fillings.insert(user);
    if (uses.insert(phi ? phi->getIncomingBlock(use)->getTerminator() : user) && isa<GetElementPtrInst, CastInst>(user))
      collect_uses(*user, uses, fillings);
  }
}

// The innermost scope that contains all of these instructions.
// Nothing: the scopes are not known.
const DILocalScope* common_scope(ArrayRef<const Instruction*> uses) {
  const DILocalScope* common = nullptr;
  for (const Instruction* use : uses) {
    const DILocalScope* scope = scope_of(*use);
    if (!common) common = scope;
    while (scope && common && !is_within(scope, common)) common = outer_scope(common);
  }
  return common;
}

bool turns_loop(const Instruction& terminator) { return terminator.getMetadata(LLVMContext::MD_loop); }

bool has_name(const BasicBlock& block, std::initializer_list<StringRef> prefixes) {
  return any_of(prefixes, [&](StringRef prefix) { return block.getName().starts_with(prefix); });
}

// Which points of a function lie in a block of its source.
class Block {
 public:
  Block(Function& function, const DILocalScope& scope) : function_(function), scope_(scope) {
    if (isa<DISubprogram>(scope)) return;
    in_macro_ = is_whole_macro();
    find_cleanups();
    find_starts();
  }

  // Is control in the block where it comes to this instruction, from `before`?
  [[nodiscard]] bool contains(const Instruction& instruction, bool before) const {
    if (isa<DISubprogram>(scope_) || cleanups_.contains(&instruction)) return true;
    const DILocalScope* scope = scope_of(instruction);
    return scope && !is_at_brace(instruction) ? is_within(scope, &scope_) : before;
  }
  [[nodiscard]] bool contains_start(const BasicBlock& block) const {
    return isa<DISubprogram>(scope_) || inside_start_.contains(&block);
  }
  [[nodiscard]] bool contains_end(const BasicBlock& block) const {
    bool inside = contains_start(block);
    for (const Instruction& instruction : block) inside = contains(instruction, inside);
    return inside;
  }
  // Does control enter the block here each time that it comes here? The head of a loop whose whole body it is.
  [[nodiscard]] bool begins_at(const BasicBlock& block) const {
    return contains_start(block) && any_of(predecessors(&block), [&](const BasicBlock* p) { return !contains_end(*p); }) &&
           any_of(predecessors(&block), [](const BasicBlock* p) { return turns_loop(*p->getTerminator()); });
  }

 private:
  [[nodiscard]] bool has_variable(Value* object) const {
    const auto* variable = dyn_cast<AllocaInst>(object);
    return variable && any_of(variables_in(*variable), [&](const DILocalVariable* declared) {
             return is_within(declared->getScope()->getNonLexicalBlockFileScope(), &scope_);
           });
  }

  // Cleanups at the block's end have the place of its last brace, in the scope around. What comes before the end of one of the
  // block's variables, without the block being entered, is among them.
  void find_cleanups() {
    SmallVector<const Instruction*, 16> worklist;
    for (const Instruction& instruction : instructions(function_)) {
      const auto* mark = dyn_cast<IntrinsicInst>(&instruction);
      if (mark && mark->getIntrinsicID() == Intrinsic::lifetime_end && has_variable(mark->getArgOperand(1)))
        worklist.push_back(mark);
    }
    while (!worklist.empty()) {
      const Instruction* at = worklist.pop_back_val();
      for (; at && !is_inside(*at) && cleanups_.insert(at).second; at = at->getPrevNode())
        if (at == &at->getParent()->front())
          for (const BasicBlock* before : predecessors(at->getParent())) worklist.push_back(before->getTerminator());
    }
  }
  [[nodiscard]] bool is_inside(const Instruction& instruction) const {
    const DILocalScope* scope = scope_of(instruction);
    return scope && is_within(scope, &scope_);
  }

  // The front end goes back to the place where it was before the block, its first brace, for code without a place of its own.
  // All code of a macro has one place, where nothing but branches is without its own.
  [[nodiscard]] bool is_at_brace(const Instruction& instruction) const {
    const auto* block = dyn_cast<DILexicalBlock>(&scope_);
    const DILocation* place = instruction.getDebugLoc();
    return block && place->getLine() == block->getLine() && place->getColumn() == block->getColumn() &&
           scope_of(instruction) == outer_scope(block) && !(in_macro_ && is_access(instruction));
  }
  static bool is_access(const Instruction& instruction) {
    return isa<LoadInst, StoreInst, CallBase>(instruction) && !instruction.isLifetimeStartOrEnd();
  }
  [[nodiscard]] bool is_whole_macro() const {
    const auto& block = cast<DILexicalBlock>(scope_);
    return any_of(instructions(function_), [&](const Instruction& instruction) {
      return scope_of(instruction) == &scope_ && instruction.getDebugLoc().getLine() == block.getLine() &&
             instruction.getDebugLoc().getCol() == block.getColumn();
    });
  }

  // Where the first instruction has no place, control is still where it came from.
  void find_starts() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const BasicBlock& block : function_) {
        if (contains_start(block)) continue;
        const bool before = any_of(predecessors(&block), [&](const BasicBlock* p) { return contains_end(*p); });
        if (contains(block.front(), before)) changed = inside_start_.insert(&block).second;
      }
    }
  }

  Function& function_;
  const DILocalScope& scope_;
  bool in_macro_ = false;
  SmallPtrSet<const Instruction*, 32> cleanups_;
  SmallPtrSet<const BasicBlock*, 16> inside_start_;
};

class Finder {
 public:
  Finder(Function& function, const Block& block, const Instruction& begin) : function_(function), block_(block) {
    const DominatorTree tree(function);
    const LoopInfo loops(tree);
    for (BasicBlock& at : function)
      if (tree.isReachableFromEntry(&at)) find_in(at);
    if (const Loop* loop = loops.getLoopFor(begin.getParent()); loop && is_in_body(*loop, *begin.getParent(), tree))
      find_turns(*loop);
    for (const auto& [from, to] : edges_) end_on_edge(*from, *to);
  }

  SmallVector<LiteralLife::End, 4> ends;

 private:
  using Edge = std::pair<BasicBlock*, BasicBlock*>;

  void find_in(BasicBlock& at) {
    bool inside = block_.contains_start(at);
    const Instruction* last = nullptr;
    for (Instruction& instruction : at) {
      const bool next = block_.contains(instruction, inside);
      if (inside && !next && !isa<PHINode>(instruction)) ends.push_back({&instruction, place(last, instruction)});
      inside = next;
      last = &instruction;
    }
    if (!inside) return;
    if (isa<ReturnInst, ResumeInst>(at.getTerminator()) && !at.getTerminatingMustTailCall())
      ends.push_back({at.getTerminator(), at.getTerminator()->getDebugLoc()});
    for (BasicBlock* next : successors(&at))
      if (!block_.contains_start(*next) || block_.begins_at(*next)) edges_.insert({&at, next});
  }

  // Is the literal made in the body of a loop that is not in braces, since the block contains the loop's head too?
  [[nodiscard]] bool is_in_body(const Loop& loop, const BasicBlock& made, const DominatorTree& tree) const {
    const BasicBlock& head = *loop.getHeader();
    if (!block_.contains_start(head) || block_.begins_at(head)) return false;
    if (none_of(predecessors(&head), [](const BasicBlock* p) { return turns_loop(*p->getTerminator()); })) return false;
    bool in_body = has_name(head, {"while.body", "do.body", "for.cond"}), has_body = in_body && !has_name(head, {"for.cond"});
    for (const BasicBlock* at : loop.blocks()) {
      const bool body = has_name(*at, {"for.body", "while.body"});
      if (!tree.dominates(at, &made) || !is_directly_in(loop, *at)) {
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

  void find_turns(const Loop& loop) {
    for (BasicBlock* at : loop.blocks())
      for (BasicBlock* next : successors(at))
        if (next == loop.getHeader() || (!loop.contains(next) && has_name(*next, {"for.end", "while.end", "do.end"})))
          edges_.insert({at, next});
  }

  void end_on_edge(BasicBlock& from, BasicBlock& to) {
    const DebugLoc& where = from.getTerminator()->getDebugLoc();
    if (from.getSingleSuccessor() && isa<BranchInst>(from.getTerminator())) {
      ends.push_back({from.getTerminator(), place(nullptr, *from.getTerminator())});
      return;
    }
    const bool splits = !to.isEHPad() && !isa<IndirectBrInst, CallBrInst>(from.getTerminator());
    BasicBlock& at = splits && !to.getSinglePredecessor() ? *SplitEdge(&from, &to) : to;
    ends.push_back({&*at.getFirstInsertionPt(), where ? where : place(nullptr, *at.getFirstInsertionPt())});
  }

  [[nodiscard]] DebugLoc place(const Instruction* last, const Instruction& next) const {
    if (last && last->getDebugLoc()) return last->getDebugLoc();
    if (next.getDebugLoc()) return next.getDebugLoc();
    return DILocation::get(function_.getContext(), 0, 0, function_.getSubprogram());
  }

  Function& function_;
  const Block& block_;
  SetVector<Edge> edges_;
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

std::optional<LiteralLife> life_of_literal(AllocaInst& object, ArrayRef<CallBase*> jump_targets) {
  Function& function = *object.getFunction();
  Uses uses, fillings;
  collect_uses(object, uses, fillings);
  const auto& in_block = fillings.empty() ? uses : fillings;
  const DILocalScope* scope = has_scopes(function) ? common_scope(in_block.getArrayRef()) : nullptr;
  LiteralLife life{.begin = common_begin(function, uses.getArrayRef()), .ends = {}, .left_by_jumps_to = {}};
  if (!scope || !life.begin) return std::nullopt;
  const Block block(function, *scope);
  for (CallBase* target : jump_targets)
    if (!block.contains(*target, false)) life.left_by_jumps_to.push_back(target);
  life.ends = Finder(function, block, *life.begin).ends;
  return life;
}

}  // namespace inspect::pass
