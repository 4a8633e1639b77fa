// Runs a system one transition at a time: what the encodings are compared with, and what a bug of theirs is re-executed in.
//
// Guarantees: it shares nothing with the encodings but apply() and the system itself.
#pragma once
#include <optional>
#include <set>
#include <vector>

#include "symbolic/system/system.hpp"

namespace inspect::symbolic {

struct State {
  std::vector<std::uint64_t> values;  // by cell
  std::vector<LocationId> locations;  // by thread
  friend auto operator<=>(const State&, const State&) = default;
};

// The cells that a thread's pending transition touches, in one state.
struct Footprint {
  std::set<CellId> reads, writes;
};
bool conflict(const Footprint& a, const Footprint& b);

class Interpreter {
 public:
  explicit Interpreter(const System& system) : system_(system) {}

  // `inputs` are the first values of the input cells, in the order of cells.
  [[nodiscard]] State start(const std::vector<std::uint64_t>& inputs) const;
  [[nodiscard]] std::uint64_t value(const State& state, Term term) const;
  [[nodiscard]] bool enabled(const State& state, ThreadIndex thread) const;
  // Takes the pending transition of a thread that is enabled; the checks that fail on the way, if wanted.
  void take(State& state, ThreadIndex thread, std::vector<const Check*>* failed = nullptr) const;
  [[nodiscard]] Footprint footprint(const State& state, ThreadIndex thread) const;
  [[nodiscard]] bool deadlocked(const State& state) const;
  // Two threads that are enabled, or wait in a loop, and access one cell next, one of them writes, one is plain.
  [[nodiscard]] bool racy(const State& state) const;
  // Null if the thread takes no more transitions.
  [[nodiscard]] const Transition* pending(const State& state, ThreadIndex thread) const;

 private:
  [[nodiscard]] std::optional<CellId> resolve(const State& state, const Target& target) const;
  [[nodiscard]] bool may_access(const State& state, ThreadIndex thread) const;
  [[nodiscard]] bool race_between(const State& state, ThreadIndex a, ThreadIndex b) const;

  const System& system_;
};

}  // namespace inspect::symbolic
