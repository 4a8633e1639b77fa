// A finite guarded transition system: what the symbolic engine checks, whichever way it came about.
//
// A state gives every cell a value and every thread a location. At a location that runs stands one transition; its thread may
// take it when the guard holds. A transition reads everything, then writes, then goes where the first branch leads whose
// condition held before. So a thread is deterministic, and all choice is in the schedule and in the inputs: cells whose first
// value is free.
//
// Guarantees: none by itself; validate() says what is wrong with a system that was put together. At most one operation of a
// transition is visible to other threads; the local ones behind it are part of it. Deliberately unknown here: LLVM, solvers.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "symbolic/system/term.hpp"

namespace inspect::symbolic {

using ThreadIndex = std::uint32_t;
using LocationId = std::uint32_t;

inline constexpr ThreadIndex kShared = ~ThreadIndex{0};

struct Cell {
  std::string name;
  unsigned width = 1;  // in bits, 1 to 64
  std::uint64_t initial = 0;
  bool is_input = false;           // any first value: `initial` has no meaning
  ThreadIndex owner = kShared;     // the only thread that reads or writes it
  std::string uninitialised = {};  // of an input: what of the program nobody has initialised; else empty
};

// One cell (extent 1, no index), or one of `extent` neighbours chosen by an index; beyond the last: none.
struct Target {
  CellId first = 0;
  std::uint32_t extent = 1;
  std::optional<Term> index = std::nullopt;
};

struct Update {
  Target target;
  Term value;
  Term condition = Terms::truth(true);
};

enum class FailureKind : std::uint8_t { assertion, memory_error, crash, api_misuse, exit_status, unwinding, unsupported };
const char* word_of(FailureKind kind);

// What must not hold when the transition is taken.
struct Check {
  Term fails;
  FailureKind kind = FailureKind::assertion;
  std::string message;
  std::string source;  // FILE:LINE, if known
};

// The branches of a transition are asked in their order; the last one's condition is true.
struct Branch {
  Term condition = Terms::truth(true);
  LocationId next = 0;
};

// A plain or atomic access to data: what a data race is made of. Where the condition does not hold there is no access.
struct Access {
  Target target;
  bool writes = false;
  bool is_atomic = false;
  Term condition = Terms::truth(true);
};

// A free value that a transition takes, where its condition holds.
struct InputUse {
  CellId cell = 0;
  Term condition = Terms::truth(true);
  std::optional<Term> count = std::nullopt;  // it is less than that: a choice of so many
  std::string name, function, source;        // of the program's variable, if known; that was called; FILE:LINE
};

struct Transition {
  Term guard = Terms::truth(true);
  std::vector<Update> updates;  // of one cell the last one counts
  std::vector<Branch> branches;
  std::vector<Check> checks;
  std::vector<Access> accesses;
  std::string what;
  std::string source;
  // The guard keeps the thread from turns of a loop that change nothing: in the program it is about to access all the same.
  bool awaits = false;
  // For whoever runs the program along an execution of the system.
  std::vector<InputUse> inputs;  // in their order
  std::optional<ThreadIndex> creates = std::nullopt;
  std::optional<Term> wakes = std::nullopt;  // one bit a thread
};

enum class LocationKind : std::uint8_t {
  runs,
  ended,
  excuses,  // ended, and who stays blocked now is no deadlock: the process ends, or an assumption did not hold
};

struct Location {
  LocationKind kind = LocationKind::runs;
  Transition transition = {};  // of one that runs
};

struct Thread {
  std::string name;
  std::vector<Location> locations;
  LocationId start = 0;
};

// A property of states: one in which it holds is looked for.
struct Proposition {
  std::string name;
  Term holds;
};

struct System {
  Terms terms;
  std::vector<Cell> cells;
  std::vector<Thread> threads;
  std::vector<Proposition> propositions;
  bool uses_heap = false;  // so it is taken for granted that there is memory

  CellId add_cell(Cell cell) {
    cells.push_back(std::move(cell));
    return static_cast<CellId>(cells.size() - 1);
  }
  Term read(CellId cell) { return terms.cell(cell, cells[cell].width); }
};

// What is wrong with the system, in one sentence; empty if nothing is.
std::string validate(const System& system);

}  // namespace inspect::symbolic
