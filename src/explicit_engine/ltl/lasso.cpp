#include "explicit_engine/ltl/lasso.hpp"

#include <algorithm>
#include <utility>

#include "explicit_engine/ltl/word.hpp"

namespace inspect::explicit_engine::ltl {
namespace {

std::uint32_t target_of(const Graph& graph, const RunStep& step) {
  return step.step == RunStep::kStutter ? step.state : graph.steps(step.state)[step.step].target;
}

bool is_step(const Graph& graph, const RunStep& step) {
  if (step.state >= graph.states()) return false;
  return step.step == RunStep::kStutter ? graph.ends(step.state) : step.step < graph.steps(step.state).size();
}

// The same infinite run in fewer steps: a cycle that is several turns of a shorter one, a prefix whose end is the cycle's.
void fold(Lasso& lasso) {
  std::vector<RunStep>& cycle = lasso.cycle;
  for (std::size_t length = 1; length < cycle.size(); ++length) {
    if (cycle.size() % length != 0 ||
        !std::equal(cycle.begin() + static_cast<std::ptrdiff_t>(length), cycle.end(), cycle.begin()))
      continue;
    cycle.resize(length);
    break;
  }
  std::size_t turned = 0;  // the prefix's end, seen from the cycle's end backwards
  while (turned < lasso.prefix.size() &&
         lasso.prefix[lasso.prefix.size() - 1 - turned] == cycle[cycle.size() - 1 - turned % cycle.size()])
    ++turned;
  lasso.prefix.resize(lasso.prefix.size() - turned);
  std::rotate(cycle.begin(), cycle.end() - static_cast<std::ptrdiff_t>(turned % cycle.size()), cycle.end());
}

class Shortening {
 public:
  Shortening(const Graph& graph, const Formula& formula, Fairness fairness)
      : graph_(graph), formula_(formula), fairness_(fairness) {}

  Lasso run(Lasso lasso) {
    fold(lasso);
    while (cut(lasso, &Lasso::prefix) || cut(lasso, &Lasso::cycle)) fold(lasso);
    return lasso;
  }

 private:
  static constexpr std::size_t kMostSteps = 400, kMostTrials = 3000;

  [[nodiscard]] bool violates(const Lasso& lasso) const {
    return !holds(formula_, word_of(graph_, lasso)) && (fairness_ == Fairness::none || is_fair(graph_, lasso));
  }

  // Leaves out what leads from a state to the same state, the longest such part first.
  bool cut(Lasso& lasso, std::vector<RunStep> Lasso::* part) {
    const std::vector<RunStep> steps = lasso.*part;
    if (steps.size() > kMostSteps) return false;
    // A cycle keeps one step at least; a prefix ends where the cycle begins.
    const std::uint32_t end = lasso.cycle.front().state;
    const auto state = [&](std::size_t i) { return i < steps.size() ? steps[i].state : end; };
    for (std::size_t length = steps.size(); length > 0; --length) {
      if (length == steps.size() && part == &Lasso::cycle) continue;
      for (std::size_t i = 0; i + length <= steps.size(); ++i) {
        if (state(i) != state(i + length) || trials_ == kMostTrials) continue;
        ++trials_;
        Lasso shorter = lasso;
        const auto begin = (shorter.*part).begin() + static_cast<std::ptrdiff_t>(i);
        (shorter.*part).erase(begin, begin + static_cast<std::ptrdiff_t>(length));
        if (!violates(shorter)) continue;
        lasso = std::move(shorter);
        return true;
      }
    }
    return false;
  }

  const Graph& graph_;
  const Formula& formula_;
  Fairness fairness_;
  std::size_t trials_ = 0;
};

}  // namespace

bool is_run(const Graph& graph, const Lasso& lasso) {
  std::uint32_t at = graph.initial();
  for (const std::vector<RunStep>* part : {&lasso.prefix, &lasso.cycle}) {
    for (const RunStep& step : *part) {
      if (!is_step(graph, step) || step.state != at) return false;
      at = target_of(graph, step);
    }
  }
  return !lasso.cycle.empty() && at == lasso.cycle.front().state;
}

bool is_fair(const Graph& graph, const Lasso& lasso) {
  for (std::uint32_t thread = 0; thread < graph.threads(); ++thread) {
    const bool fair = std::any_of(lasso.cycle.begin(), lasso.cycle.end(), [&](const RunStep& step) {
      return step.step == RunStep::kStutter || !graph.enabled(step.state, thread) ||
             graph.steps(step.state)[step.step].thread == thread;
    });
    if (!fair) return false;
  }
  return true;
}

Lasso shortened(const Graph& graph, const Formula& formula, Fairness fairness, Lasso lasso) {
  return Shortening(graph, formula, fairness).run(std::move(lasso));
}

}  // namespace inspect::explicit_engine::ltl
