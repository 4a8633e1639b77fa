// Negation normal form: what the translation reads. Only true, false, propositions and their negations, &&, ||, U and R are
// left; constants are folded, and temporal operators that say nothing beside their neighbours are dropped.
//
// Guarantees: the result holds of exactly the words of which the formula (or its negation) holds.
#pragma once
#include "explicit_engine/ltl/formula.hpp"

namespace inspect::explicit_engine::ltl {

enum class Polarity : std::uint8_t { as_it_is, negated };

// A new formula; `text` and `propositions` are the old one's.
[[nodiscard]] Formula normal_form(const Formula& formula, Polarity polarity);

}  // namespace inspect::explicit_engine::ltl
