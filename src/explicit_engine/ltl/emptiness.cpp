#include "explicit_engine/ltl/emptiness.hpp"

#include <deque>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "explicit_engine/ltl/components.hpp"
#include "explicit_engine/ltl/mutation.hpp"

namespace inspect::explicit_engine::ltl {
namespace {

using NodeId = std::uint32_t;  // state of the graph × state of the automaton

// A transition of the product.
struct Edge {
  NodeId from = 0, to = 0;
  RunStep step;
  std::uint32_t thread = 0;  // not of a stutter
  Marks marks = 0;
};

// What a cycle must pass: marks first, then threads.
class Needs {
 public:
  Needs(std::size_t count) : missing_(count, true), left_(count) {}
  [[nodiscard]] bool none() const { return left_ == 0; }
  [[nodiscard]] bool has(std::size_t i) const { return missing_[i]; }
  void meet(std::size_t i) {
    left_ -= missing_[i];
    missing_[i] = false;
  }

 private:
  std::vector<bool> missing_;
  std::size_t left_;
};

class Product {
 public:
  Product(const Graph& graph, const Automaton& automaton, Fairness fairness)
      : graph_(graph),
        automaton_(automaton),
        width_(static_cast<std::uint32_t>(automaton.states.size())),
        fair_threads_(fairness == Fairness::none             ? 0
                      : mutated(Mutation::fairness_by_first) ? 1
                                                             : graph.threads()) {}

  [[nodiscard]] std::uint32_t states() const { return graph_.states() * width_; }
  [[nodiscard]] NodeId initial() const { return node(graph_.initial(), automaton_.initial); }
  [[nodiscard]] Needs all_needs() const { return {automaton_.marks + fair_threads_}; }

  // visit(const Edge&) of every transition from a node.
  template <class Visit>
  void each_edge(NodeId from, Visit visit) const {
    const std::uint32_t state = from / width_;
    const std::span<const Step> steps = graph_.steps(state);
    const bool ends = graph_.ends(state) && !mutated(Mutation::ends_are_no_runs);
    const Valuation letter = graph_.valuation(state);
    for (const Transition& t : automaton_.states[from % width_]) {
      const auto reads = [&](std::uint32_t target) {
        return t.reads(mutated(Mutation::label_of_next_state) ? graph_.valuation(target) : letter);
      };
      for (std::uint32_t i = 0; i < steps.size(); ++i)
        if (reads(steps[i].target)) visit(Edge{from, node(steps[i].target, t.target), {state, i}, steps[i].thread, t.marks});
      if (ends && reads(state)) visit(Edge{from, node(state, t.target), {state, RunStep::kStutter}, 0, t.marks});
    }
  }

  // meet(i) for each need that the edge, of a cycle, meets.
  template <class Meet>
  void each_met(const Edge& edge, Meet meet) const {
    for (std::size_t i = 0; i < automaton_.marks; ++i)
      if (edge.marks >> i & 1) meet(i);
    for (std::uint32_t thread = 0; thread < fair_threads_; ++thread)
      if (is_fair_to(thread, edge)) meet(automaton_.marks + thread);
  }

  // meet(i) for each thread that is disabled where an edge leads to.
  template <class Meet>
  void each_disabled_at_target(const Edge& edge, Meet meet) const {
    for (std::uint32_t thread = 0; thread < fair_threads_; ++thread)
      if (!graph_.enabled(edge.to / width_, thread)) meet(automaton_.marks + thread);
  }

 private:
  [[nodiscard]] NodeId node(std::uint32_t state, std::uint32_t of_automaton) const { return state * width_ + of_automaton; }
  [[nodiscard]] bool is_fair_to(std::uint32_t thread, const Edge& edge) const {
    if (edge.step.step == RunStep::kStutter || edge.thread == thread) return true;
    return !graph_.enabled(edge.step.state, thread) && !mutated(Mutation::steps_alone_are_fair);
  }

  const Graph& graph_;
  const Automaton& automaton_;
  std::uint32_t width_;
  std::uint32_t fair_threads_;
};

// The nearest way from a node to an edge that is looked for, that edge included; `inside(node)`: where the way may lead.
template <class Inside, class Goal>
std::vector<Edge> nearest(const Product& product, NodeId from, Inside inside, Goal goal) {
  std::unordered_map<NodeId, Edge> came_by;
  std::deque<NodeId> open{from};
  std::optional<Edge> last;
  while (!open.empty() && !last) {
    const NodeId node = open.front();
    open.pop_front();
    product.each_edge(node, [&](const Edge& edge) {
      if (last || !inside(edge.to)) return;
      if (goal(edge)) {
        last = edge;
      } else if (edge.to != from && came_by.try_emplace(edge.to, edge).second) {
        open.push_back(edge.to);
      }
    });
  }
  CHECK(last.has_value(), "a component is not connected");
  std::vector<Edge> way{*last};
  while (way.back().from != from) way.push_back(came_by.at(way.back().from));
  return {way.rbegin(), way.rend()};
}

class Search {
 public:
  explicit Search(const Product& product) : product_(product), inside_(product.states()) {}

  std::optional<Lasso> run() {
    const auto successors = [&](NodeId node, std::vector<NodeId>& targets) {
      product_.each_edge(node, [&](const Edge& edge) { targets.push_back(edge.to); });
    };
    const auto complete = [&](std::span<const NodeId> component) {
      for (const NodeId node : component) inside_[node] = true;
      if (is_accepting(component)) {
        lasso_ = lasso();
        return false;
      }
      for (const NodeId node : component) inside_[node] = false;
      return true;
    };
    Components(successors, complete).search_from(product_.initial());
    return lasso_;
  }

 private:
  [[nodiscard]] bool is_accepting(std::span<const NodeId> component) const {
    Needs needs = product_.all_needs();
    bool cycle = false;
    for (const NodeId node : component) {
      product_.each_edge(node, [&](const Edge& edge) {
        const auto meet = [&](std::size_t i) { needs.meet(i); };
        if (inside_[edge.to]) {
          cycle = true;
          product_.each_met(edge, meet);
        } else if (mutated(Mutation::disabled_outside_is_fair)) {
          product_.each_disabled_at_target(edge, meet);
        }
      });
    }
    return cycle && (needs.none() || mutated(Mutation::one_mark_is_enough));
  }

  [[nodiscard]] Lasso lasso() const {
    const auto anywhere = [](NodeId) { return true; };
    const auto inside = [&](NodeId node) -> bool { return inside_[node]; };
    Lasso result;
    NodeId entry = product_.initial();
    if (!inside(entry)) {
      for (const Edge& edge : nearest(product_, entry, anywhere, [&](const Edge& e) { return inside(e.to); })) {
        result.prefix.push_back(edge.step);
        entry = edge.to;
      }
    }
    Needs needs = product_.all_needs();
    NodeId at = entry;
    const auto take = [&](const std::vector<Edge>& way) {
      for (const Edge& edge : way) {
        result.cycle.push_back(edge.step);
        product_.each_met(edge, [&](std::size_t i) { needs.meet(i); });
      }
      at = way.back().to;
    };
    const auto helps = [&](const Edge& edge) {
      bool met = false;
      product_.each_met(edge, [&](std::size_t i) { met = met || needs.has(i); });
      return met;
    };
    while (!needs.none() && !mutated(Mutation::one_mark_is_enough) && !mutated(Mutation::disabled_outside_is_fair))
      take(nearest(product_, at, inside, helps));
    if (at != entry || result.cycle.empty()) take(nearest(product_, at, inside, [&](const Edge& e) { return e.to == entry; }));
    return result;
  }

  const Product& product_;
  std::vector<bool> inside_;  // the component that is looked at
  std::optional<Lasso> lasso_;
};

}  // namespace

Result<std::optional<Lasso>> find_accepted(const Graph& graph, const Automaton& automaton, Fairness fairness) {
  if (automaton.states.empty()) return std::optional<Lasso>();
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max() / 2;
  if (std::uint64_t{graph.states()} * automaton.states.size() > kMost)
    return Error{"states of the program times states of the formula's automaton are more than " + std::to_string(kMost)};
  const Product product(graph, automaton, fairness);
  return Search(product).run();
}

}  // namespace inspect::explicit_engine::ltl
