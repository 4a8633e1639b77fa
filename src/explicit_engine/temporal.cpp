#include "explicit_engine/temporal.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "explicit_engine/ltl/parser.hpp"

namespace inspect::explicit_engine {

Result<TemporalProperty> TemporalProperty::of(const std::string& text, bool weak_fairness) {
  TemporalProperty property;
  auto formula = ltl::parse(text);
  if (!formula) return Error{"--ltl: " + formula.error()};
  auto automaton = ltl::violations(*formula);
  if (!automaton) return Error{"--ltl: " + automaton.error()};
  property.formula_ = std::move(*formula);
  property.violations_ = std::move(*automaton);
  if (weak_fairness) property.fairness_ = ltl::Fairness::weak;
  return property;
}

Result<std::vector<inspect_condition>> TemporalProperty::find_conditions(const compile::Target& target) {
  auto conditions = conditions_of(formula_, target.executable, target.sources);
  if (!conditions) return conditions.failure();
  conditions_ = std::move(*conditions);
  return conditions_.all;
}

Result<PropertyFinding> TemporalProperty::judge(const Explored& explored, const RuntimeFacts& facts) const {
  if (auto wrong = explicit_engine::judge(formula_, conditions_, facts.set)) return *wrong;
  PropertyFinding found;
  // A loop that waits where time passes takes no turns in vain: runs in which it takes them for ever are missing.
  const char* const waits = facts.time_passes                                     ? "time passes in the program"
                            : explored.why_no_identity[INSPECT_NO_IDENTITY_FILES] ? "files or signals are used"
                            : explored.why_no_identity[INSPECT_NO_IDENTITY_LOOP]
                                ? "a thread waits in a loop without visible operations"
                                : nullptr;
  if (waits)
    found.left_out.push_back(std::string(waits) + ": not every run without end was looked at for the temporal formula");
  // Enabled threads would look disabled where transitions are missing.
  const bool complete = explored.outcome.exhausted && explored.outcome.bugs.empty() && !waits;
  if (fairness_ == ltl::Fairness::none || complete) {
    auto violation = find_violation(explored, facts.initial, formula_, violations_, fairness_);
    if (!violation)
      found.left_out.push_back(violation.error());
    else
      found.violation = std::move(*violation);
  }
  for (std::size_t i = 0; i < formula_.propositions.size(); ++i) {
    const bool set = conditions_.all[i].name[0] == 0 || (facts.set >> i & 1) != 0;
    if (!set) found.notes.push_back("the program never set " + to_text(formula_.propositions[i]) + ": it was false throughout");
  }
  if (!found.violation) return found;
  const std::uint64_t cycle = found.violation->cycle, before = found.violation->schedule.size() - cycle;
  const char* const run = fairness_ == ltl::Fairness::weak ? "a fair run" : "a run";
  found.message =
      run + std::string(" does not satisfy ") + to_text(formula_, formula_.root) + ": " +
      (cycle ? "after " + std::to_string(before) + " steps it repeats the next " + std::to_string(cycle) + " for ever"
             : "it ends after " + std::to_string(before) + " steps");
  return found;
}

}  // namespace inspect::explicit_engine
