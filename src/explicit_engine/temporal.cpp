#include "explicit_engine/temporal.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "explicit_engine/ltl/parser.hpp"

namespace inspect::explicit_engine {
namespace {

// States in the order of their numbers, then one for each valuation with which the program ends.
class ProgramGraph final : public ltl::Graph {
 public:
  ProgramGraph(const Explored& explored, ltl::Valuation initial) : valuations_(explored.labels.valuations) {
    valuations_.front() = initial;
    std::multimap<StateNumber, Choice> ends;
    for (const End& end : explored.labels.ends) ends.emplace(end.state, end.choice);
    program_states_ = explored.graph.size();
    for (StateNumber s = 0; s < program_states_; ++s) {
      first_.push_back(steps_.size());
      if (explored.labels.disregarded[s]) continue;
      explored.graph.for_each_transition(s, [&](const Transition& t) { add(t.to, t.choice); });
      for (auto [end, last] = ends.equal_range(s); end != last; ++end) add(end_with(valuations_[s]), end->second);
    }
    first_.resize(valuations_.size() + 1, steps_.size());
  }

  [[nodiscard]] std::uint32_t states() const override { return static_cast<std::uint32_t>(valuations_.size()); }
  [[nodiscard]] std::uint32_t threads() const override { return threads_; }
  [[nodiscard]] std::uint32_t initial() const override { return 0; }
  [[nodiscard]] std::span<const ltl::Step> steps(std::uint32_t state) const override {
    return std::span(steps_).subspan(first_[state], first_[state + 1] - first_[state]);
  }
  [[nodiscard]] ltl::Valuation valuation(std::uint32_t state) const override { return valuations_[state]; }
  // In a complete graph every enabled thread has a transition.
  [[nodiscard]] bool enabled(std::uint32_t state, std::uint32_t thread) const override {
    return std::ranges::any_of(steps(state), [&](const ltl::Step& step) { return step.thread == thread; });
  }
  [[nodiscard]] bool ends(std::uint32_t state) const override { return state >= program_states_; }

  [[nodiscard]] Choice choice(const ltl::RunStep& step) const { return choices_[first_[step.state] + step.step]; }

 private:
  void add(std::uint32_t to, Choice choice) {
    steps_.push_back({to, choice.thread});
    choices_.push_back(choice);
    threads_ = std::max(threads_, std::uint32_t{choice.thread} + 1);
  }

  std::uint32_t end_with(ltl::Valuation valuation) {
    const auto [at, fresh] = ends_.try_emplace(valuation, static_cast<std::uint32_t>(valuations_.size()));
    if (fresh) valuations_.push_back(valuation);
    return at->second;
  }

  std::vector<ltl::Valuation> valuations_;  // by state
  std::vector<std::size_t> first_;          // by state, and one more
  std::vector<ltl::Step> steps_;
  std::vector<Choice> choices_;  // of the steps
  std::map<ltl::Valuation, std::uint32_t> ends_;
  StateNumber program_states_ = 0;
  std::uint32_t threads_ = 1;
};

}  // namespace

Result<std::optional<Violation>> find_violation(const Explored& explored, ltl::Valuation initial, const ltl::Formula& formula,
                                                const ltl::Automaton& violations, ltl::Fairness fairness) {
  if (fairness != ltl::Fairness::none && !explored.outcome.exhausted) return std::optional<Violation>();
  const ProgramGraph graph(explored, initial);
  const auto lasso = ltl::find_violation(graph, formula, violations, fairness);
  if (!lasso) return lasso.failure();
  if (!*lasso) return std::optional<Violation>();
  Violation violation;
  for (const ltl::RunStep& step : (*lasso)->prefix) violation.schedule.push_back(graph.choice(step));
  for (const ltl::RunStep& step : (*lasso)->cycle) {
    if (step.step == ltl::RunStep::kStutter) continue;
    violation.schedule.push_back(graph.choice(step));
    ++violation.cycle;
  }
  return std::optional(std::move(violation));
}

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

Result<std::vector<inspect_condition>> TemporalProperty::find_conditions(const std::string& executable) {
  auto conditions = conditions_of(formula_, executable);
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
