// The states that a search has met and the transitions between them.
//
// Complete once the search has explored everything: then each state has all transitions that the search's reductions ask for.
// Guarantees: state 0 is the initial one; a state that a transition cut short by a bug leads to is none. Deliberately unknown
// here: how states are told apart, and what may be concluded from the graph.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "explicit_engine/state_table.hpp"
#include "model/execution.hpp"

namespace inspect::explicit_engine {

struct Transition {
  StateNumber to = kNoState;
  Choice choice;
};

class StateGraph {
 public:
  StateGraph() { clear(); }
  void clear();
  // The state has the number that comes next.
  void add_state() { first_.push_back(kNone); }
  void add_transition(StateNumber from, const Transition& transition);
  [[nodiscard]] StateNumber size() const { return static_cast<StateNumber>(first_.size()); }
  [[nodiscard]] std::uint64_t transition_count() const { return edges_.size(); }
  [[nodiscard]] std::uint64_t bytes() const {
    return first_.capacity() * sizeof(std::uint32_t) + edges_.capacity() * sizeof(Edge);
  }

  // Calls f(transition) for each that leads from the state to another one, or to itself.
  template <class F>
  void for_each_transition(StateNumber from, F&& f) const {
    for (std::uint32_t e = first_[from]; e != kNone; e = edges_[e].next) f(edges_[e].transition);
  }

  // A shortest way from the initial state to each; or the one by which it was met first, where transitions of others that are
  // known as the same state would be those of other threads. Made in time linear in the graph.
  enum class Along { shortest, first_met };
  class Ways {
   public:
    explicit Ways(const StateGraph& graph, Along along = Along::shortest);
    // Nothing if there is none.
    [[nodiscard]] std::optional<std::vector<Choice>> to(StateNumber state) const;

   private:
    void find_shortest(const StateGraph& graph);
    void find_first_met(const StateGraph& graph);
    struct Step {
      StateNumber from = kNoState;
      Choice choice;
    };
    std::vector<Step> steps_;
  };

 private:
  static constexpr std::uint32_t kNone = ~0u;
  struct Edge {
    Transition transition;
    std::uint32_t next = kNone;
  };

  std::vector<std::uint32_t> first_;  // by state
  std::vector<Edge> edges_;
};

}  // namespace inspect::explicit_engine
