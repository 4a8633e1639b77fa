// A formula and the states of a program: does every run satisfy it?
//
// Guarantees: a violation is a schedule whose last steps lead back to the state in which they began, or whose end is the
// program's. Runs in which an assumption failed do not count. Where the graph is not complete violations without fairness are
// violations all the same; fairness is judged on complete graphs alone, since threads that are enabled would look disabled
// where their transitions are missing. Deliberately unknown here: how states were found, processes, verdicts.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compile/target.hpp"
#include "explicit_engine/conditions.hpp"
#include "explicit_engine/ltl/check.hpp"
#include "explicit_engine/violation.hpp"
#include "hooks/condition.h"

namespace inspect::explicit_engine {

struct PropertyFinding {
  std::optional<Violation> violation;
  std::string message;                // of the violation
  std::vector<std::string> left_out;  // why the property is not known to hold
  std::vector<std::string> notes;     // for people
};

// What the runtime has seen of the conditions, and of time.
struct RuntimeFacts {
  ltl::Valuation initial = 0;  // before the first step
  std::uint64_t set = 0;       // conditions that are propositions and were set
  bool time_passes = false;
};

// A formula with its fairness, as the user asks for it.
class TemporalProperty {
 public:
  // Error: of the formula's text, or it is too large.
  static Result<TemporalProperty> of(const std::string& text, bool weak_fairness);
  // Error: a name of the formula is none of the program's.
  Result<std::vector<inspect_condition>> find_conditions(const compile::Target& target);
  // Error: as before, now that the program has run.
  [[nodiscard]] Result<PropertyFinding> judge(const Explored& explored, const RuntimeFacts& facts) const;

 private:
  ltl::Formula formula_;
  ltl::Automaton violations_;
  Conditions conditions_;
  ltl::Fairness fairness_ = ltl::Fairness::none;
};

}  // namespace inspect::explicit_engine
