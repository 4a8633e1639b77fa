// Executions of a system as clauses, and the state in which one ends: what properties are asked of.
//
// Guarantees: with the clauses so far, each execution that the encoding admits is a model, and each model that solve() leaves
// is one. Deliberately unknown here: how executions become clauses (unrolling.hpp: step by step; events.hpp: by what is ordered
// before what).
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "symbolic/encode/frame.hpp"

namespace inspect::symbolic {

// What threads may do next in the last state.
struct Pending {
  std::vector<std::vector<Literal>> fires;  // by thread and location: it is there and its guard holds
  std::vector<Literal> enabled;             // by thread
};

struct SolverSetup {
  Solver::Reports reports = Solver::Reports::nothing;
  std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt;
  Solver::Keeps keeps = Solver::Keeps::nothing;
};

class Encoding {
 public:
  // The system outlives it.
  Encoding(const System& system, const SolverSetup& setup);
  virtual ~Encoding() = default;
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;

  [[nodiscard]] Solver& solver() { return solver_; }
  [[nodiscard]] Gates& gates() { return gates_; }
  [[nodiscard]] const System& system() const { return system_; }
  [[nodiscard]] const Frame& first() const { return first_; }
  // The last state.
  [[nodiscard]] const Frame& last() const { return *frame_; }
  [[nodiscard]] TermBits& terms() { return *terms_; }
  [[nodiscard]] const Pending& pending() const { return pending_; }

  virtual Answer solve(std::span<const Literal> assumptions) { return solver_.solve(assumptions); }
  // After `satisfiable`: looks for a model of a shorter execution in which `holds` is true, too. One is there afterwards,
  // unless time is up.
  virtual Answer shorten(Literal /*holds*/) { return Answer::satisfiable; }
  // Of a model that the solver has found.
  std::vector<std::uint64_t> inputs_in_model();
  virtual std::vector<ThreadIndex> schedule_in_model() = 0;

 protected:
  // This is the last state from now on.
  void end_in(std::unique_ptr<Frame> frame);

  const System& system_;
  Solver solver_;
  Gates gates_;
  Frame first_;
  std::unique_ptr<Frame> frame_;
  std::unique_ptr<TermBits> terms_;
  Pending pending_;
};

// What the transition's updates make of cells where it fires: by cell, values and when each counts, at most one of them at
// once.
using Changes = std::vector<std::vector<std::pair<Literal, Bits>>>;
void update_cells(Gates& gates, TermBits& terms, const Transition& transition, Literal fires, Changes& changes);

// By location: its thread comes there, by a transition of `thread` that fires (by location).
std::vector<std::vector<Literal>> arrivals_of(Gates& gates, TermBits& terms, const Thread& thread,
                                              const std::vector<Literal>& fires);

}  // namespace inspect::symbolic
