// The state of one search: the tree, the path under analysis, and what was found so far.
//
// One round: take the next pending transitions, at most a batch of them, have the program run them, extend the tree by each
// result, compute its races and insert what they ask for. Siblings are totally ordered by when they were sent; only earlier
// ones sleep in later ones (docs/algorithms.md; SEMANTICS J). Deliberately unknown here: which algorithm, what the program is.
#pragma once
#include <chrono>
#include <memory>

#include "search/order/order.hpp"
#include "search/path.hpp"
#include "search/prune/preemption_bound.hpp"
#include "search/prune/symmetry.hpp"
#include "search/reduction.hpp"
#include "search/search.hpp"
#include "search/tree.hpp"
#include "search/visited.hpp"
#include "search/wakeup.hpp"

namespace inspect::search {

class Exploration final : private Backtracking {
 public:
  Exploration(Program& program, const Options& options, std::unique_ptr<Reduction> reduction, Observer* observer);
  Outcome run();

 private:
  // Backtracking
  [[nodiscard]] const ThreadSet& enabled(std::uint32_t state) const override { return path_.enabled(state); }
  [[nodiscard]] const ThreadSet& scheduled(std::uint32_t state) const override { return tree_[path_.node(state)].backtrack; }
  [[nodiscard]] bool awake(std::uint32_t state, ThreadId t) const override;
  void schedule(std::uint32_t state, ThreadId t) override;
  [[nodiscard]] bool within_bound(std::uint32_t state, ThreadId t) const {
    return !options_.preemptions || tree_[path_.node(state)].preemptions + preempts(path_, state, t) <= *options_.preemptions;
  }
  void insert(std::uint32_t state, std::span<const WakeupStep> sequence) override;

  // Rounds
  void start();
  [[nodiscard]] bool must_stop();
  void name_bound();
  [[nodiscard]] std::size_t batch_size() const;
  void run_batch(std::span<const NodeId> nodes);
  [[nodiscard]] Request request_for(NodeId node);
  void collect_sleepers(NodeId node);
  [[nodiscard]] NodeId executed_above(NodeId node) const;
  [[nodiscard]] Label label(NodeId node) const { return path_.label(tree_[node].choice.thread, tree_[node].operation); }

  // Results
  [[nodiscard]] bool beyond_wakeup(const Execution& execution) const;
  void fall_back();
  void take_result(NodeId node, std::size_t known, Execution&& execution);
  void move_to(NodeId node);
  std::uint32_t extend(NodeId node, const Execution& execution, std::uint32_t segment, std::uint32_t first,
                       std::uint32_t count);
  NodeId step(NodeId from, NodeId sent, std::uint32_t segment, std::uint32_t index, const Event& event);
  [[nodiscard]] bool asleep(NodeId state, Choice choice) const;
  bool arrive_known(const Execution& execution, std::uint32_t index, std::span<const Event> later);
  static bool waits_in_loop(const Execution& execution);
  void races_behind(std::span<const ThreadOperation> possible);
  void races_behind(const Summaries::Set& possible);
  void meet_in_state(std::uint32_t state);
  bool skip_symmetric(NodeId pending);
  void races_of_unfinished(const Execution& execution);
  void settle(std::uint32_t state);
  void schedule_all(std::uint32_t state);
  void finish(const Execution& execution, std::span<const Event> unexplored);
  void record_bug(const Execution& execution, std::span<const Event> unexplored);
  [[nodiscard]] Cut cut_of(const Execution& execution) const;
  std::string first_change(NodeId id);
  void observe(const Execution& execution, std::span<const Event> unexplored);
  void close(NodeId leaf);

  Program& program_;
  const Options& options_;
  std::unique_ptr<Reduction> reduction_;
  Observer* observer_;
  ReductionTraits traits_;
  const ReductionTraits asked_for_ = traits_;
  Sections sections_;  // outlives a restart
  Tree tree_;
  Path path_;
  Wakeup wakeup_;
  std::optional<Visited> visited_;  // of a stateful search
  std::optional<Symmetry> symmetry_;
  bool cut_ = false;  // the execution under analysis arrived in a known state, and ends there
  std::unique_ptr<Order> order_;
  Outcome outcome_;
  bool stop_ = false;
  bool restart_ = true;  // what was explored so far is void: from the initial state again
  std::chrono::steady_clock::time_point began_;
  // Kept for their capacity.
  Races races_;
  std::vector<NodeId> chain_, sent_, batch_;
  std::vector<Request> requests_;
  std::vector<const Event*> whole_;
};

}  // namespace inspect::search
