// Does every run of a graph satisfy a formula?
//
// Guarantees: a violation is a run of the graph whose word was found not to satisfy the formula by evaluation, without
// automata; anything else is an internal error.
#pragma once
#include <optional>

#include "base/result.hpp"
#include "explicit_engine/ltl/automaton.hpp"
#include "explicit_engine/ltl/emptiness.hpp"
#include "explicit_engine/ltl/formula.hpp"
#include "explicit_engine/ltl/graph.hpp"

namespace inspect::explicit_engine::ltl {

// The automaton of the words of which the formula does not hold. Error: the formula is too large.
Result<Automaton> violations(const Formula& formula);

// Nothing: every run, or every fair run, satisfies the formula. `automaton`: violations(formula). Error: the product is too
// large.
Result<std::optional<Lasso>> find_violation(const Graph& graph, const Formula& formula, const Automaton& automaton,
                                            Fairness fairness);

}  // namespace inspect::explicit_engine::ltl
