#include "explicit_engine/state_graph.hpp"

#include <algorithm>

namespace inspect::explicit_engine {

void StateGraph::clear() {
  first_.clear();
  edges_.clear();
}

void StateGraph::add_transition(StateNumber from, const Transition& transition) {
  const auto number = static_cast<std::uint32_t>(edges_.size());
  edges_.push_back({transition, first_[from]});
  first_[from] = number;
}

StateGraph::Ways::Ways(const StateGraph& graph, Along along) : steps_(graph.size()) {
  if (graph.size() == 0) return;
  along == Along::shortest ? find_shortest(graph) : find_first_met(graph);
}

// A state's first transition is the one that added it.
void StateGraph::Ways::find_first_met(const StateGraph& graph) {
  std::vector<std::uint32_t> first(graph.size(), kNone);
  for (StateNumber from = 0; from < graph.size(); ++from)
    for (std::uint32_t e = graph.first_[from]; e != kNone; e = graph.edges_[e].next) {
      const Transition& t = graph.edges_[e].transition;
      if (t.to == 0 || e >= first[t.to]) continue;
      first[t.to] = e;
      steps_[t.to] = {from, t.choice};
    }
}

void StateGraph::Ways::find_shortest(const StateGraph& graph) {
  std::vector<bool> seen(graph.size());
  std::vector<StateNumber> queue{0};
  seen[0] = true;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const StateNumber from = queue[i];
    graph.for_each_transition(from, [&](const Transition& t) {
      if (seen[t.to]) return;
      seen[t.to] = true;
      steps_[t.to] = {from, t.choice};
      queue.push_back(t.to);
    });
  }
}

std::optional<std::vector<Choice>> StateGraph::Ways::to(StateNumber state) const {
  std::vector<Choice> out;
  for (; state != 0; state = steps_[state].from) {
    if (state >= steps_.size() || steps_[state].from == kNoState) return std::nullopt;
    out.push_back(steps_[state].choice);
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace inspect::explicit_engine
