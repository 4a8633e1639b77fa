// All that a search knows of what it explores: a program that runs one whole execution at a time.
//
// Guarantees: run() is deterministic – equal requests give equal executions – or reports EndKind::diverged. The initial state
// is the state before the first transition, where only thread 0 exists, with a pending ThreadStart. Deliberately unknown here:
// processes, channels, memory. search/ is tested on an in-memory model program (oracle/).
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hooks/execution.h"
#include "model/execution.hpp"
#include "search/cut/code.hpp"

namespace inspect::search {

// A transition that was explored already from the state at the end of the prefix: it sleeps until something dependent on it is
// executed. `operation` carries the label it had when it was executed (kind and outcome flags).
struct Sleeper {
  Choice choice;
  Operation operation;
};

// As the alternative of the last choice of a prefix: any enabled alternative of that thread. If none is enabled, the execution
// ends there as redundant.
inline constexpr std::uint16_t kAnyAlternative = INSPECT_ANY_ALTERNATIVE;

// What a program must run: replay `prefix`, then go on by `policy` to the end, never choosing a sleeping transition.
struct Request {
  std::vector<Choice> prefix;
  std::vector<Sleeper> sleep;
  // The first `known` steps of the prefix are known to the caller already: they are not reported again, Execution::events
  // starts with step `known` (so the prefix's last step, whose outcome is new, is reported: known < prefix.size() unless both
  // are 0).
  std::size_t known = 0;
  std::uint64_t known_hash = 0;  // inspect_step_hash chained over the known events from 0; 0: not checked
  bool starts_first = false;     // policy RUN: threads just created start first, and then the thread that created them goes on
  bool states = false;           // Execution::states is asked for
  bool symmetric_pairs = false;  // and Execution::symmetric_pairs
  bool accesses = false;         // and Event::accesses
  bool waits = false;            // loads that wait for a value are enabled only where they find it
  // Not 0: the execution may end, as redundant, in a state behind the prefix that an earlier execution with the same number has
  // met. Waiting loops are then not cut: that a state repeats ends them. Needs `states`.
  std::uint64_t visited = 0;
  std::uint32_t state_flags = 0;  // further inspect_request_flags: which states count as equal, and what is told of them
  inspect_policy policy = INSPECT_POLICY_RUN;
  std::uint64_t seed = 0;  // of random policies
  std::vector<std::uint32_t>
      // INSPECT_POLICY_PCT: numbers of steps, from 1, before which the thread with the highest priority is lowered
      change_points;
};

// What a swap of symmetric threads does to the program.
class Swaps {
 public:
  virtual ~Swaps() = default;
  // Does it leave the object where it is?
  [[nodiscard]] virtual bool stays(std::uint64_t /*object*/) const { return true; }
  // Has the program used the address of an object, or the number of a thread, as a number? Then no threads are symmetric.
  [[nodiscard]] virtual bool addresses_used() const { return false; }
  // May no threads trade places in identities of states, whoever asks for it (INSPECT_REQUEST_SORTED_EXACTLY and the like)?
  [[nodiscard]] virtual bool threads_told_apart() const { return false; }
  // Time spent so far on finding symmetric threads.
  [[nodiscard]] virtual double seconds_of_symmetry() const { return 0; }
};

// For a search that several processes share, or that is written down: what, beside the schedule, the program's numbers and
// scheduling points depend on. A process can read another's schedules only if it knows what that one has learnt.
class Numbering {
 public:
  virtual ~Numbering() = default;
  [[nodiscard]] virtual std::string knowledge() const { return {}; }
  // False if it contradicts what this one has learnt.
  virtual bool learn(const std::string& /*knowledge*/) { return true; }
};

class Program {
 public:
  virtual ~Program() = default;
  // One execution per request, in order; each execution's events start at the request's step `known`.
  virtual std::vector<Execution> run(std::span<const Request> requests) = 0;
  // Did what counts as a scheduling point change since the last call (visible=all: a location became shared)? All that was
  // explored before is void then, and the search starts again.
  virtual bool take_change() { return false; }
  // How many requests one call should carry so that the hand-over is amortised (1: no gain from batches).
  [[nodiscard]] virtual unsigned preferred_batch() const { return 1; }

  [[nodiscard]] virtual Swaps& swaps();
  [[nodiscard]] virtual Numbering& numbering();
  // What is known of its code without running it; null if nothing is known.
  [[nodiscard]] virtual const Code* code() { return nullptr; }
};

inline Swaps& Program::swaps() {
  static Swaps nothing_known;
  return nothing_known;
}

inline Numbering& Program::numbering() {
  static Numbering nothing_learnt;
  return nothing_learnt;
}

}  // namespace inspect::search
