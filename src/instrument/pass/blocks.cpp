#include "instrument/pass/blocks.hpp"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include "instrument/pass/variables.hpp"

using namespace llvm;

namespace inspect::pass {

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

bool turns_loop(const Instruction& terminator) { return terminator.getMetadata(LLVMContext::MD_loop); }

namespace {

bool is_access(const Instruction& instruction) {
  return isa<LoadInst, StoreInst, CallBase>(instruction) && !instruction.isLifetimeStartOrEnd();
}

bool is_mark(const Instruction& instruction, Intrinsic::ID kind) {
  const auto* mark = dyn_cast<IntrinsicInst>(&instruction);
  return mark && mark->getIntrinsicID() == kind;
}

// The scope that a loop of the source stands in. Null: not known.
const DILocalScope* scope_of_loop(const Instruction& turn) {
  for (const MDOperand& operand : turn.getMetadata(LLVMContext::MD_loop)->operands())
    if (const auto* place = dyn_cast_or_null<DILocation>(operand.get()))
      return place->getScope()->getNonLexicalBlockFileScope();
  return nullptr;
}

// Does the use fill a part of the object?
bool fills(const Instruction& user, const Use& use) {
  if (isa<StoreInst>(user)) return use.getOperandNo() == StoreInst::getPointerOperandIndex();
  const auto* call = dyn_cast<CallBase>(&user);
  return call && use.getOperandNo() == 0 && (isa<AnyMemIntrinsic>(call) || call->hasStructRetAttr());
}

}  // namespace

Block::Block(Function& function, const DILocalScope& scope) : function_(function), scope_(scope) {
  if (isa<DISubprogram>(scope)) return;
  in_macro_ = is_whole_macro();
  find_cleanups();
  find_starts();
}

Block::Block(Function& function, const Statement& statement)
    : function_(function), scope_(*function.getSubprogram()), statement_(statement) {
  find_starts();
}

bool Block::contains_label(const Instruction& instruction, bool before) const {
  if (!statement_ && isa<DISubprogram>(scope_)) return true;
  for (const DbgRecord& record : instruction.getDbgRecordRange())
    if (const auto* label = dyn_cast<DbgLabelRecord>(&record))
      before = !statement_ && is_within(label->getLabel()->getScope()->getNonLexicalBlockFileScope(), &scope_);
  return before;
}

bool Block::contains(const Instruction& instruction, bool before) const {
  if (statement_) {
    const DILocation* place = isa<PHINode>(instruction) ? nullptr : instruction.getDebugLoc().get();
    return place && place->getLine() ? statement_->contains(*place) : before;
  }
  if (isa<DISubprogram>(scope_) || cleanups_.contains(&instruction)) return true;
  if (isa<PHINode, LandingPadInst>(instruction)) return before;  // nothing can stand before it
  const DILocalScope* scope = scope_of(instruction);
  return scope && !is_at_brace(instruction) ? is_within(scope, &scope_) : before;
}

bool Block::contains_start(const BasicBlock& block) const {
  return (!statement_ && isa<DISubprogram>(scope_)) || inside_start_.contains(&block);
}

bool Block::contains_end(const BasicBlock& block) const {
  bool inside = contains_start(block);
  for (const Instruction& instruction : block) inside = contains(instruction, contains_label(instruction, inside));
  return inside;
}

bool Block::begins_at(const BasicBlock& block) const {
  return !statement_ && contains_start(block) &&
         any_of(predecessors(&block), [&](const BasicBlock* p) { return !contains_end(*p); }) &&
         any_of(predecessors(&block), [&](const BasicBlock* p) { return is_body_of(*p->getTerminator()); });
}

// Does the block begin anew where the branch turns a loop?
bool Block::is_body_of(const Instruction& turn) const {
  if (!turns_loop(turn)) return false;
  const DILocalScope* around = scope_of_loop(turn);
  return !around || (around != &scope_ && is_within(&scope_, around));
}

// By a mark, or a destructor.
bool Block::ends_object(const CallBase& call) const {
  if (is_mark(call, Intrinsic::lifetime_end)) return has_object(call.getArgOperand(1));
  return !is_inside(call) && !isa<IntrinsicInst>(call) && call.arg_size() && has_object(call.getArgOperand(0));
}

bool Block::has_object(const Value* object) const {
  const auto* variable = dyn_cast<AllocaInst>(object);
  if (!variable || is_returned(*variable)) return false;
  if (any_of(variables_in(*variable), [&](const DILocalVariable* declared) {
        return is_within(declared->getScope()->getNonLexicalBlockFileScope(), &scope_);
      }))
    return true;
  bool begins = false;
  for (const User* user : variable->users()) {
    const auto* mark = dyn_cast<Instruction>(user);
    if (!mark || !is_mark(*mark, Intrinsic::lifetime_start)) continue;
    if (!is_inside(*mark)) return false;
    begins = true;
  }
  return begins;
}

// Cleanups at the block's end have the place of its last brace, in the scope around. What comes before the end of one of the
// block's objects, without the block being entered, is among them.
void Block::find_cleanups() {
  SmallVector<const Instruction*, 16> worklist;
  for (const Instruction& instruction : instructions(function_))
    if (const auto* call = dyn_cast<CallBase>(&instruction); call && ends_object(*call)) worklist.push_back(&instruction);
  while (!worklist.empty()) {
    const Instruction* at = worklist.pop_back_val();
    for (; at && !is_inside(*at) && cleanups_.insert(at).second; at = at->getPrevNode())
      if (at == &at->getParent()->front())
        for (const BasicBlock* before : predecessors(at->getParent())) worklist.push_back(before->getTerminator());
  }
}

bool Block::is_inside(const Instruction& instruction) const {
  const DILocalScope* scope = scope_of(instruction);
  return scope && is_within(scope, &scope_);
}

// The front end goes back to the place where it was before the block, its first brace, for code without a place of its own.
// All code of a macro has one place, where nothing but branches is without its own.
bool Block::is_at_brace(const Instruction& instruction) const {
  const auto* block = dyn_cast<DILexicalBlock>(&scope_);
  const DILocation* place = instruction.getDebugLoc();
  return block && place->getLine() == block->getLine() && place->getColumn() == block->getColumn() &&
         scope_of(instruction) == outer_scope(block) && !(in_macro_ && is_access(instruction));
}

bool Block::is_whole_macro() const {
  const auto& block = cast<DILexicalBlock>(scope_);
  return any_of(instructions(function_), [&](const Instruction& instruction) {
    return scope_of(instruction) == &scope_ && instruction.getDebugLoc().getLine() == block.getLine() &&
           instruction.getDebugLoc().getCol() == block.getColumn();
  });
}

// Where the first instruction has no place, control is still where it came from.
void Block::find_starts() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock& block : function_) {
      if (contains_start(block)) continue;
      const bool before = any_of(predecessors(&block), [&](const BasicBlock* p) { return contains_end(*p); });
      const bool at_label = contains_label(block.front(), before);
      const bool is_labelled = at_label == contains_label(block.front(), !before);
      if (is_labelled ? at_label : contains(block.front(), before)) changed = inside_start_.insert(&block).second;
    }
  }
}

void collect_uses(const Value& address, AddressUses& uses, SmallPtrSetImpl<const Instruction*>* fillings) {
  for (const Use& use : address.uses()) {
    const auto* user = cast<Instruction>(use.getUser());
    const auto* phi = dyn_cast<PHINode>(user);
    if (fillings && fills(*user, use)) fillings->insert(user);
    if (uses.insert(phi ? phi->getIncomingBlock(use)->getTerminator() : user) && isa<GetElementPtrInst, CastInst>(user))
      collect_uses(*user, uses, fillings);
  }
}

Crossings::Crossings(Function& function, const Block& block, const AddressUses* uses)
    : function_(function), block_(block), uses_(uses) {
  const DominatorTree tree(function);
  for (BasicBlock& at : function)
    if (tree.isReachableFromEntry(&at)) reachable_.push_back(&at);
  find_starts();
  for (BasicBlock* at : reachable_) {
    find_in(*at);
    find_at_end(*at);
  }
}

bool Crossings::is_alive_at_label(const Instruction& instruction, bool before) const {
  return before && block_.contains_label(instruction, true);
}

bool Crossings::is_alive_at(const Instruction& instruction, bool before) const {
  if (uses_ && uses_->contains(&instruction)) return true;
  if (!block_.contains(instruction, true)) return false;
  return before || (!uses_ && block_.contains(instruction, false));
}

bool Crossings::is_alive_at_end(const BasicBlock& block) const {
  bool alive = alive_at_start_.contains(&block);
  for (const Instruction& instruction : block) alive = is_alive_at(instruction, is_alive_at_label(instruction, alive));
  return alive;
}

bool Crossings::is_turn(const BasicBlock& from, const BasicBlock& to) const {
  return block_.begins_at(to) && block_.contains_end(from);
}

// All computed jumps of a function share one instruction: where the object may be alive behind it, it is before it.
void Crossings::find_starts() {
  const auto may_start = [&](const BasicBlock& block) {
    const Instruction& first = block.front();
    if (!is_alive_at_label(first, true) || !is_alive_at(first, true)) return false;
    if (!uses_ && block_.contains_start(block)) return true;
    return any_of(predecessors(&block), [&](const BasicBlock* p) { return is_alive_at_end(*p) && !is_turn(*p, block); }) ||
           (isa<IndirectBrInst>(block.getTerminator()) &&
            any_of(successors(&block), [&](const BasicBlock* next) { return alive_at_start_.contains(next); }));
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock* block : reachable_)
      if (!alive_at_start_.contains(block) && may_start(*block)) changed = alive_at_start_.insert(block).second;
  }
}

void Crossings::find_in(BasicBlock& at) {
  bool alive = alive_at_start_.contains(&at);
  const Instruction* last = nullptr;
  const auto go = [&](Instruction& before, bool next) {
    if (next != alive) points_.push_back({&before, next, place(last, before)});
    alive = next;
  };
  for (Instruction& instruction : at) {
    go(instruction, is_alive_at_label(instruction, alive));
    go(instruction, is_alive_at(instruction, alive));
    last = &instruction;
  }
}

void Crossings::find_at_end(BasicBlock& at) {
  Instruction& terminator = *at.getTerminator();
  const bool alive = is_alive_at_end(at);
  if (alive && isa<ReturnInst, ResumeInst>(terminator) && !at.getTerminatingMustTailCall())
    at_ends_.push_back({&terminator, false, terminator.getDebugLoc()});
  for (BasicBlock* next : successors(&at)) {
    const bool stays = alive && !is_turn(at, *next), goes_on = alive_at_start_.contains(next);
    if (alive && !(stays && goes_on)) leaving_.insert({&at, next});
    if (goes_on && !stays && !next->isEHPad()) entering_.insert({&at, next});
  }
}

BlockLife Crossings::life(ArrayRef<CallBase*> jump_targets) && {
  BlockLife life;
  for (CallBase* target : jump_targets)
    if (!block_.contains(*target, false)) life.left_by_jumps_to.push_back(target);
  SetVector<Edge> crossed(leaving_);
  crossed.insert(entering_.begin(), entering_.end());
  for (const Edge& edge : crossed) cross(edge);
  for (const auto* events : {&at_starts_, &points_, &at_ends_}) life.events.append(*events);
  return life;
}

void Crossings::cross(const Edge& edge) {
  auto& [from, to] = edge;
  Instruction& turn = *from->getTerminator();
  const auto add = [&](auto& events, Instruction& before) {
    const DebugLoc where = place(turn.getDebugLoc() ? &turn : nullptr, before);
    for (const bool begins : {false, true})
      if ((begins ? entering_ : leaving_).contains(edge)) events.push_back({&before, begins, where});
  };
  if (from->getSingleSuccessor() && isa<BranchInst>(turn)) return add(at_ends_, turn);
  BasicBlock* at = to;
  if (to->getUniquePredecessor() != from && !to->isEHPad() && !isa<IndirectBrInst, CallBrInst>(turn))
    at = SplitCriticalEdge(&turn, GetSuccessorNumber(from, to), CriticalEdgeSplittingOptions().setMergeIdenticalEdges());
  add(at_starts_, *(at ? at : to)->getFirstInsertionPt());
}

DebugLoc Crossings::place(const Instruction* last, const Instruction& next) const {
  if (last && last->getDebugLoc()) return last->getDebugLoc();
  if (next.getDebugLoc()) return next.getDebugLoc();
  return DILocation::get(function_.getContext(), 0, 0, function_.getSubprogram());
}

}  // namespace inspect::pass
