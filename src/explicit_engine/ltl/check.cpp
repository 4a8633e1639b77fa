#include "explicit_engine/ltl/check.hpp"

#include <utility>

#include "base/check.hpp"
#include "explicit_engine/ltl/lasso.hpp"
#include "explicit_engine/ltl/normal_form.hpp"
#include "explicit_engine/ltl/translate.hpp"
#include "explicit_engine/ltl/word.hpp"

namespace inspect::explicit_engine::ltl {

Result<Automaton> violations(const Formula& formula) { return translate(normal_form(formula, Polarity::negated)); }

Result<std::optional<Lasso>> find_violation(const Graph& graph, const Formula& formula, const Automaton& automaton,
                                            Fairness fairness) {
  Result<std::optional<Lasso>> found = find_accepted(graph, automaton, fairness);
  if (!found || !*found) return found;
  Lasso lasso = shortened(graph, formula, fairness, std::move(**found));
  CHECK(is_run(graph, lasso), "a counterexample is no run of the program");
  CHECK(!holds(formula, word_of(graph, lasso)), "a counterexample satisfies the formula");
  CHECK(fairness == Fairness::none || is_fair(graph, lasso), "a counterexample is not fair");
  return std::optional<Lasso>(std::move(lasso));
}

}  // namespace inspect::explicit_engine::ltl
