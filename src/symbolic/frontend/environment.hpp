// What a thread knows at a point of its unrolled code: where it stands, and the values of what only it can see, as terms.
#pragma once
#include <map>
#include <set>
#include <vector>

#include "symbolic/frontend/program.hpp"

namespace inspect::symbolic {

struct Frame {
  llvm::Function* function = nullptr;
  const llvm::BasicBlock* block = nullptr;
  int index = 0;  // of the next instruction in the block
  Iterations iterations = {};
  std::map<const llvm::Value*, Value> values = {};
  std::vector<ObjectId> locals = {};
};

struct Environment {
  std::vector<Frame> frames;      // the outermost first
  std::map<SlotId, Value> slots;  // of objects that only this thread touches, where not the first value
  std::map<ObjectId, Term> dead;  // of private stack objects: its block has ended
  int stage = 0;                  // of the next instruction, if it has several visible operations
  std::set<ObjectId> has_ended;   // stack objects whose block ended before, on some path
  std::set<ObjectId> has_begun;   // or began, of those that nobody initialises

  [[nodiscard]] Frame& top() { return frames.back(); }
};

// Where the environment stands: least first is an order in which everything comes after what leads to it.
Key key_of(Program& program, const Environment& environment);
// The same place and knowledge, but for one loop that is in its next iteration.
bool is_next_turn(const Environment& before, const Environment& now);
// Drops the values that are not needed any more.
void drop_unneeded(Program& program, Environment& environment);

}  // namespace inspect::symbolic
