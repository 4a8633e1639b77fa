// The truth of a formula on one ultimately periodic word, straight from its definition.
//
// Guarantees: shares nothing with normal forms and automata: it is what every counterexample is checked with before anybody
// sees it.
#pragma once
#include <vector>

#include "explicit_engine/ltl/formula.hpp"
#include "explicit_engine/ltl/graph.hpp"

namespace inspect::explicit_engine::ltl {

// The letters of `prefix` once, those of `cycle` (at least one) for ever.
struct Word {
  std::vector<Valuation> prefix, cycle;
};

[[nodiscard]] bool holds(const Formula& formula, const Word& word);

[[nodiscard]] Word word_of(const Graph& graph, const Lasso& lasso);

}  // namespace inspect::explicit_engine::ltl
