// Where control enters and leaves a block of the source, told from debug information: lives of objects that the front end gives
// no marks of lifetime.
//
// The block is a lexical scope. It is left where control goes to code of another scope that is not the block's own cleanup, to
// a label of another scope, or round a loop whose body it is. Control that may be inside, where code has no place, is inside.
//
// Guarantees: code of the block itself never comes behind an end that no begin follows. Deliberately unknown here: which block
// an object belongs to (literals.hpp, variables.hpp), and what is left by an exception out of the function.
#pragma once
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include "instrument/pass/statements.hpp"

namespace inspect::pass {

// Null: the instruction has no place.
const llvm::DILocalScope* scope_of(const llvm::Instruction& instruction);
// Null: it is a function.
const llvm::DILocalScope* outer_scope(const llvm::DILocalScope* scope);
bool is_within(const llvm::DILocalScope* inner, const llvm::DILocalScope* outer);
// The innermost scope that contains all of these instructions. Null: the scopes are not known.
template <class Instructions>
const llvm::DILocalScope* common_scope(const Instructions& instructions) {
  const llvm::DILocalScope* common = nullptr;
  for (const llvm::Instruction* instruction : instructions) {
    const llvm::DILocalScope* scope = scope_of(*instruction);
    if (!common) common = scope;
    while (scope && common && !is_within(scope, common)) common = outer_scope(common);
  }
  return common;
}
// Does the debug information tell the function's scopes?
bool has_scopes(const llvm::Function& function);
// Does the branch lead back to the head of a loop of the source?
bool turns_loop(const llvm::Instruction& terminator);

// Which points of a function lie in a block of its source, or in one statement.
class Block {
 public:
  Block(llvm::Function& function, const llvm::DILocalScope& scope);
  Block(llvm::Function& function, const Statement& statement);

  // Is control in the block at the instruction's labels, if it has any, where it comes there from `before`?
  [[nodiscard]] bool contains_label(const llvm::Instruction& instruction, bool before) const;
  // Likewise at the instruction itself.
  [[nodiscard]] bool contains(const llvm::Instruction& instruction, bool before) const;
  [[nodiscard]] bool contains_start(const llvm::BasicBlock& block) const;
  [[nodiscard]] bool contains_end(const llvm::BasicBlock& block) const;
  // Does control enter the block here each time that it comes here? The head of a loop whose whole body it is.
  [[nodiscard]] bool begins_at(const llvm::BasicBlock& block) const;

 private:
  void find_cleanups();
  void find_starts();
  [[nodiscard]] bool is_inside(const llvm::Instruction& instruction) const;
  [[nodiscard]] bool is_at_brace(const llvm::Instruction& instruction) const;
  [[nodiscard]] bool is_whole_macro() const;
  [[nodiscard]] bool ends_object(const llvm::CallBase& call) const;
  [[nodiscard]] bool has_object(const llvm::Value* object) const;
  [[nodiscard]] bool is_body_of(const llvm::Instruction& turn) const;

  llvm::Function& function_;
  const llvm::DILocalScope& scope_;
  std::optional<Statement> statement_;  // else it is the scope
  bool in_macro_ = false;
  llvm::SmallPtrSet<const llvm::Instruction*, 32> cleanups_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> inside_start_;
};

// The begins and ends of an object's life, to be told of in this order: of those before one instruction, the first comes first.
struct BlockLife {
  struct Event {
    llvm::Instruction* before;
    bool begins;
    llvm::DebugLoc place;
  };
  llvm::SmallVector<Event, 8> events;
  llvm::SmallVector<llvm::CallBase*, 2> left_by_jumps_to;  // where a jump arrives that leaves the block
};

using AddressUses = llvm::SmallSetVector<const llvm::Instruction*, 16>;
// Uses of an address by the code that names the object; `fillings`: those that fill a part of it.
void collect_uses(const llvm::Value& address, AddressUses& uses,
                  llvm::SmallPtrSetImpl<const llvm::Instruction*>* fillings = nullptr);

// Collects where an object's life begins and ends: in the block, from its first use on. With `uses` null: wherever control is
// in the block.
class Crossings {
 public:
  Crossings(llvm::Function& function, const Block& block, const AddressUses* uses);
  // The object ends on this edge too.
  void end_between(llvm::BasicBlock& from, llvm::BasicBlock& to) { leaving_.insert({&from, &to}); }
  // Edges that are crossed get a block of their own where they must.
  [[nodiscard]] BlockLife life(llvm::ArrayRef<llvm::CallBase*> jump_targets) &&;

 private:
  using Edge = std::pair<llvm::BasicBlock*, llvm::BasicBlock*>;
  [[nodiscard]] bool is_alive_at_label(const llvm::Instruction& instruction, bool before) const;
  [[nodiscard]] bool is_alive_at(const llvm::Instruction& instruction, bool before) const;
  [[nodiscard]] bool is_alive_at_end(const llvm::BasicBlock& block) const;
  // Is the block left and entered anew on this edge?
  [[nodiscard]] bool is_turn(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;
  void find_starts();
  void find_in(llvm::BasicBlock& at);
  void find_at_end(llvm::BasicBlock& at);
  void cross(const Edge& edge);
  [[nodiscard]] llvm::DebugLoc place(const llvm::Instruction* last, const llvm::Instruction& next) const;

  llvm::Function& function_;
  const Block& block_;
  const AddressUses* const uses_;
  llvm::SmallVector<llvm::BasicBlock*, 16> reachable_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> alive_at_start_;
  llvm::SetVector<Edge> entering_, leaving_;
  llvm::SmallVector<BlockLife::Event, 8> at_starts_, points_, at_ends_;
};

}  // namespace inspect::pass
