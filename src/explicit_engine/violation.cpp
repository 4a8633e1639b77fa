#include "explicit_engine/violation.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

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

}  // namespace inspect::explicit_engine
