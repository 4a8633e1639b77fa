#include "search/cut/race_free.hpp"

#include <algorithm>
#include <utility>

namespace inspect::search {

std::unique_ptr<Cut> make_race_free(CutHost& host, const CutPlan& plan, const Cuts&) {
  return plan.belongs ? std::make_unique<RaceFreeSubspaces>(host) : nullptr;
}

// The states in which the races ask for a thread that is not explored there yet.
std::set<std::uint32_t> RaceFreeSubspaces::asked_for() const {
  std::set<std::uint32_t> states;
  for (const Race& race : host_.races().list) {
    ThreadSet there = race.first;
    there &= host_.scheduled(race.state);
    if (there.empty()) states.insert(race.state);
  }
  return states;
}

void RaceFreeSubspaces::after_execution(const Execution& execution) {
  if (execution.end != EndKind::complete) return;
  std::set<std::uint32_t> asked = asked_for();
  const Code* const code = host_.program().code();
  if (asked.empty() || !code) return;
  counts_.checks += asked.size();
  never_ = !code->obstacle.empty();
  if (never_ || !backoff_.allows())
    counts_.limits[never_ ? code->obstacle : "not asked so soon again, after many times in vain"] += asked.size();
  else
    prune(*code, std::move(asked));
}

void RaceFreeSubspaces::prune(const Code& code, std::set<std::uint32_t> asked) {
  RaceFreeAnalysis analysis(code, host_.path(), walked_);
  // What is free of races from some state on is so from later states too: states from `free` on are free, those before `busy`
  // are not.
  std::uint32_t free = *asked.rbegin() + 1, busy = 0;
  std::string why;
  const auto is_free = [&](std::uint32_t state) {
    if (state >= free || state < busy) return state >= free;
    if (analysis.check(state)) {
      free = state;
      return true;
    }
    why = analysis.why();
    busy = state + 1;
    return false;
  };
  bool pruned = false;
  while (!asked.empty() && is_free(*asked.rbegin())) {
    const std::vector<std::uint32_t> states(asked.begin(), asked.end());
    const std::uint32_t state = *std::ranges::partition_point(states, [&](std::uint32_t s) { return !is_free(s); });
    if (analysis.state() != state && !analysis.check(state)) break;
    counts_.successes += static_cast<std::uint64_t>(std::distance(asked.lower_bound(state), asked.end()));
    pruned = true;
    const std::vector<ThreadOperation> possible = analysis.possible();
    std::erase_if(host_.races().list, [&](const Race& race) { return race.state >= state; });
    host_.move_to(host_.path().node(state));
    if (!mutated(Mutation::pdp_prunes_without_backtracking)) host_.races_behind(possible);
    const std::set<std::uint32_t> before = std::exchange(asked, asked_for());
    for (const std::uint32_t s : asked) counts_.checks += !before.contains(s);
  }
  backoff_.learn(pruned);
  if (!asked.empty()) counts_.limits[why] += asked.size();
}

}  // namespace inspect::search
