// The one thing that temporal checking knows of a program: its states and what leads from one to another.
//
// A run begins in the initial state and takes one step after another; where a run ends, it stutters in its last state for ever.
// Guarantees asked of who implements it: for a formula's verdict, equal states have equal valuations, and every infinite run of
// the program, up to stuttering, is one of the graph. With fairness moreover: steps(s) are all of s, with nothing left out by a
// reduction; a thread has the same number in every state (no thread symmetry); enabled(s, t) where t has a step in s.
// Deliberately unknown here: memory, schedules, how states were found.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "explicit_engine/ltl/formula.hpp"

namespace inspect::explicit_engine::ltl {

struct Step {
  std::uint32_t target = 0;
  std::uint32_t thread = 0;
};

class Graph {
 public:
  virtual ~Graph() = default;
  // States are 0 … states()-1, threads 0 … threads()-1.
  [[nodiscard]] virtual std::uint32_t states() const = 0;
  [[nodiscard]] virtual std::uint32_t threads() const = 0;
  [[nodiscard]] virtual std::uint32_t initial() const = 0;
  [[nodiscard]] virtual std::span<const Step> steps(std::uint32_t state) const = 0;
  [[nodiscard]] virtual Valuation valuation(std::uint32_t state) const = 0;
  [[nodiscard]] virtual bool enabled(std::uint32_t state, std::uint32_t thread) const = 0;
  // Does a run that comes here end here: all threads have, or none can go on? It has no steps then: its stutter is fair to all.
  // A state without steps that is no end is one whose
  // runs are of no interest, because an assumption failed.
  [[nodiscard]] virtual bool ends(std::uint32_t state) const = 0;
};

// A step of a run: the state that is left, and which of its steps is taken.
struct RunStep {
  static constexpr std::uint32_t kStutter = ~std::uint32_t{0};
  std::uint32_t state = 0;
  std::uint32_t step = kStutter;
  bool operator==(const RunStep&) const = default;
};

// An infinite run: the prefix once, the cycle for ever. Both are connected; the cycle has at least one step.
struct Lasso {
  std::vector<RunStep> prefix, cycle;
};

}  // namespace inspect::explicit_engine::ltl
