// From formulas to automata: P. Gastin, D. Oddoux, "Fast LTL to Büchi automata translation", CAV 2001, sections 2–4.
//
// A formula in normal form is a very weak alternating automaton whose states are its U and R formulas: each leads to itself or
// to smaller ones. A state of the generalised automaton is a set of these, all of which must accept the rest of the word. For
// each U formula f there is a mark: a transition bears it if f is not among what must hold next, or if f could have been
// fulfilled by what is read and asked for anyway. Without X in the language every state is such a set but the first, which is
// the formula.
//
// Guarantees: the automaton accepts exactly the words of which the formula holds, or there is an error: it is too large.
#pragma once
#include "base/result.hpp"
#include "explicit_engine/ltl/automaton.hpp"
#include "explicit_engine/ltl/formula.hpp"

namespace inspect::explicit_engine::ltl {

inline constexpr std::size_t kMostTransitions = 200'000;

// `formula` is in normal form. The result is reduced.
Result<Automaton> translate(const Formula& formula);

}  // namespace inspect::explicit_engine::ltl
