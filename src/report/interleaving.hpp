// A bug as a person reads it: who did what, in which order, and why that is wrong. Text only; all renderers draw this one
// value.
//
// Guarantees: made of names alone, so equal schedules give equal interleavings; every step of the schedule has its line.
// Deliberately unknown here: processes, addresses, and the form of the output (text, HTML, DOT, SARIF are renderers of it).
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/execution.hpp"
#include "model/schedule.hpp"
#include "report/names.hpp"

namespace inspect::report {

struct InterleavingLine {
  std::size_t column = 0;  // index into Interleaving::threads
  std::size_t step = 0;    // 1-based number of the scheduled step; 0: a plain access that belongs to the step before it
  std::string action;      // "pthread_mutex_lock(m)", "atomic store flag = 1"
  std::string place;       // "bank.c:12", "?" unknown
  bool decisive = false;   // the switch to this line is where the schedule turned towards the bug
  bool at_bug = false;     // here it goes wrong
  Frames frames = {};      // what was under way, innermost first; empty: not known
  std::string takes = {}, gives = {};  // locks, by their labels; empty: none
  std::size_t after = 0;               // the last step of another thread that it is ordered behind; 0: none
};

struct CallStack {
  std::string title;  // "thread 0.1 writes x"
  Frames frames;      // innermost first
};

// A place that has no line of its own.
struct PlaceNote {
  std::string text;   // "thread 0.1: read of 4 bytes of x"
  std::string place;  // "bank.c:12"
};

struct WaitEdge {
  std::string thread, awaited;       // "0.1", "mutex a"
  std::vector<std::string> holders;  // threads, by name
};

struct Interleaving {
  std::vector<std::string> threads;  // creation paths, in order of creation
  std::vector<InterleavingLine> lines;
  RecordedBug bug;
  std::string critical;             // what must not come between what, in words; empty: no switch is known to be decisive
  std::vector<WaitEdge> waiting;    // deadlock: who waits for whom
  std::vector<std::string> waits;   // deadlock: "thread 0 waits for mutex a (bank.c:9), held by thread 0.1 since bank.c:4"
  std::vector<CallStack> stacks;    // of the bug: its thread's, both sides of a race, each that waits
  std::vector<PlaceNote> accesses;  // races, where the stacks are not known: both sides
};

// A plain access seen in a verbose run, after the event of that index.
struct PlainAccess {
  std::size_t event = 0;
  ThreadId thread = 0;
  Operation operation{};
  std::uint64_t before = 0;  // what stood there before the access: the value read, or overwritten
  bool at_bug = false;       // one side of a race
};

// What belongs to a step and is no operation of its own: that an object was freed, the access that ended the run.
struct FurtherLine {
  std::size_t event = 0;   // after which it belongs
  std::size_t behind = 0;  // so many of BugRun::accesses
  ThreadId thread = 0;
  std::string action;
  Frames frames = {};
  bool at_bug = false;
};

// A switch that was not forced: at `event` the thread `other` could have gone on instead.
struct Turn {
  std::size_t event = 0;
  ThreadId other = 0;
};
// All of a run, the last first; of one switch, the thread that was left first.
std::vector<Turn> turns_of(std::span<const Event> events);

// Stands before the steps that a run without end repeats.
inline constexpr const char* kCycleMark = "(what follows repeats for ever)";

// Everything known of the run that shows the bug.
struct BugRun {
  std::span<const Event> events;  // from the initial state to the end
  std::vector<PlainAccess> accesses = {};
  std::vector<std::uint64_t> objects = {};  // accesses to these are shown even if only one thread makes them
  std::vector<CallStack> stacks = {};
  std::vector<FurtherLine> further = {};  // in the order of the run
  std::vector<std::size_t> marked = {};   // events at which it goes wrong
  std::optional<Turn> turn = {};          // where the schedule turned towards the bug; none: nowhere, or that is not known
};

Interleaving interleaving_of(const BugRun& run, const RecordedBug& bug, const Names& names);

// From the file alone: no values, no waits.
Interleaving interleaving_of(const ScheduleFile& file);

// The recorded form of executed transitions.
std::vector<ScheduleStep> steps_of(std::span<const Event> events, const Names& names);

}  // namespace inspect::report
