// Counterexamples as people want them: short.
//
// Guarantees: what comes out is a run of the graph that violates the formula and, where asked, is fair: both are looked at
// again, each time something is left out.
#pragma once
#include "explicit_engine/ltl/emptiness.hpp"
#include "explicit_engine/ltl/formula.hpp"
#include "explicit_engine/ltl/graph.hpp"

namespace inspect::explicit_engine::ltl {

// Is it a run of the graph, from its initial state, connected at every step?
[[nodiscard]] bool is_run(const Graph& graph, const Lasso& lasso);
// Does every thread take a step in the cycle, or is disabled in one of its states?
[[nodiscard]] bool is_fair(const Graph& graph, const Lasso& lasso);

// `lasso` violates the formula; so does the result.
[[nodiscard]] Lasso shortened(const Graph& graph, const Formula& formula, Fairness fairness, Lasso lasso);

}  // namespace inspect::explicit_engine::ltl
