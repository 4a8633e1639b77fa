// Generalised Büchi automata over valuations, with acceptance on transitions.
//
// A word is accepted if some run over it from the initial state takes, for each mark, transitions that bear it infinitely
// often; with no marks, if there is an infinite run at all. A transition reads the letter of the state that is left.
// Deliberately unknown here: formulas and programs. Degeneralisation is not needed: components are looked at whole
// (emptiness.hpp).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "explicit_engine/ltl/formula.hpp"

namespace inspect::explicit_engine::ltl {

using Marks = std::uint64_t;
inline constexpr unsigned kMostMarks = 64;

struct Transition {
  Valuation must = 0, must_not = 0;  // propositions that are true, that are false
  std::uint32_t target = 0;
  Marks marks = 0;
  [[nodiscard]] bool reads(Valuation letter) const { return (letter & must) == must && (letter & must_not) == 0; }
  auto operator<=>(const Transition&) const = default;
};

struct Automaton {
  std::vector<std::vector<Transition>> states;  // no states: nothing is accepted
  std::uint32_t initial = 0;
  unsigned marks = 0;  // how many there are: bits 0 … marks-1
  [[nodiscard]] Marks all_marks() const { return marks == kMostMarks ? ~Marks{0} : (Marks{1} << marks) - 1; }
};

// States that cannot be reached or accept nothing go; states that do the same are merged.
// The words accepted stay the same.
[[nodiscard]] Automaton reduced(Automaton automaton);

// One line a transition, for tests and for people.
[[nodiscard]] std::string to_text(const Automaton& automaton);

}  // namespace inspect::explicit_engine::ltl
