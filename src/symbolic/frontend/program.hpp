// What the threads of a program have in common while it is translated: its memory, the cells that stand for it, the threads
// there are.
//
// Guarantees: an object has cells exactly if threads share it; what one thread alone touches, or nobody writes, is values
// within that thread's translation. One Program is one pass; Memory, with the facts, outlives it.
#pragma once
#include <llvm/IR/Module.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "symbolic/frontend/memory.hpp"

namespace inspect::symbolic {

struct FrontendOptions {
  int unwind = 8;  // iterations of a loop beyond the first, and calls of a function within itself
  int most_threads = 16;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  bool wants_races = true;  // races are looked for: what orders operations and gives no happens-before is not supported
  std::vector<std::string> propositions = {};  // those of inspect_proposition() that are of interest; others are passed over
};

// A thread of the program: one call of pthread_create in the unrolled program, or main.
struct ThreadOfProgram {
  llvm::Function* start = nullptr;
  CellId started = 0;   // one bit
  CellId progress = 0;  // kRunning, kDone or kJoined
  CellId argument = 0, result = 0;
  CellId detached = 0;   // one bit
  Value argument_value;  // what the thread sees of its argument: a constant, or that cell
};
inline constexpr std::uint64_t kRunning = 0, kDone = 1, kJoined = 2;

// How pthread_create calls are told apart in all passes, and which thread each creates: 1 and on.
using ThreadKey = std::tuple<ThreadIndex, Key, const llvm::Value*, llvm::Function*>;
using ThreadNumbers = std::map<ThreadKey, ThreadIndex>;

class Program {
 public:
  Program(llvm::Module& module, Memory& memory, ThreadNumbers& thread_numbers, const FrontendOptions& options);

  // The index of the cell of a slot, or of the one that says whether a stack object is alive. The object is shared.
  CellId cell_of(SlotId slot);
  CellId alive_cell(ObjectId object);
  CellId add_register(const std::string& name, unsigned width, ThreadIndex owner);
  CellId add_input(const std::string& name, unsigned width, ThreadIndex owner);
  // A value that nobody has written: anything. `of`: what it is, for people.
  CellId add_uninitialised(const std::string& of, unsigned width, ThreadIndex owner);
  // What a slot of a private object holds that was never written: anything, but the same at each look.
  CellId uninitialised(SlotId slot, ThreadIndex owner);
  // Whether a term keeps its value for as long as its thread runs: it is made of registers and inputs.
  bool is_stable(Term term);
  // The thread that a call creates. Its number is the same in all passes; none if this pass did not know of it.
  std::optional<ThreadIndex> create(const ThreadKey& key, const Value& argument);
  const Shape& shape(llvm::Function* function);
  [[nodiscard]] bool is_late() const { return options.deadline && std::chrono::steady_clock::now() >= *options.deadline; }
  // FILE:LINE.
  static std::string place(const llvm::Instruction& instruction);
  // A variable of the stack or a block of the heap, by name and place.
  std::string name_of(ObjectId object);

  llvm::Module& module;
  Memory& memory;
  const FrontendOptions& options;
  System system;
  std::map<ThreadIndex, ThreadOfProgram> threads;
  std::map<std::string, CellId> propositions;  // one bit each

 private:
  void add_cells(ObjectId object);

  ThreadNumbers& thread_numbers_;
  std::map<ObjectId, CellId> first_cells_, alive_cells_;
  std::map<std::pair<SlotId, ThreadIndex>, CellId> uninitialised_;
  std::vector<bool> is_register_;  // by cell
  std::map<Term, bool> stable_;
  std::map<const llvm::Function*, std::unique_ptr<Shape>> shapes_;
};

}  // namespace inspect::symbolic
