// A run of an explored program that does not satisfy a formula.
//
// Guarantees: its last steps lead back to the state in which they began, or its end is the program's. Runs in which an
// assumption failed do not count. A graph that is not complete has some of the runs; fairness is judged on complete graphs
// alone. Deliberately unknown here: how states were found, texts.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "explicit_engine/ltl/check.hpp"
#include "explicit_engine/search.hpp"

namespace inspect::explicit_engine {

struct Violation {
  std::vector<Choice> schedule;
  std::uint64_t cycle = 0;  // its last so many steps repeat for ever; 0: the program ends
};

// `explored`: with labels. `initial`: the valuation of the initial state. Error: the product is too large.
Result<std::optional<Violation>> find_violation(const Explored& explored, ltl::Valuation initial, const ltl::Formula& formula,
                                                const ltl::Automaton& violations, ltl::Fairness fairness);

}  // namespace inspect::explicit_engine
