// The state of one search: the tree, the path under analysis, and what was found so far.
//
// One round: take the next pending transitions, at most a batch of them, have the program run them, extend the tree by each
// result, compute its races and insert what they ask for. Siblings are ordered by when they were sent; only earlier ones sleep
// in later ones (docs/algorithms.md; SEMANTICS J). Parts of the tree can be given to other searches, taken from them, written
// down and read again: share/units.hpp. Deliberately unknown here: which algorithm, what the program is, who the other searches
// are.
#pragma once
#include <chrono>
#include <memory>

#include "search/core/endless_loops.hpp"
#include "search/core/estimate.hpp"
#include "search/core/open_tree.hpp"
#include "search/cut/cut.hpp"
#include "search/reduction/reduction.hpp"
#include "search/search.hpp"
#include "search/share/units.hpp"

namespace inspect::search {

// The row of reductions.def that the options select; it must exist (CHECK).
const ReductionInfo& reduction_of(const Options& options);

class Exploration final : private CutHost, private UnitHost {
 public:
  // `peers`: told of what other searches of the same tree must know; null if there are none. `home`: this search has the root;
  // exactly one of them does.
  Exploration(Program& program, const Options& options, const ReductionInfo& reduction, Observer* observer,
              Peers* peers = nullptr, bool home = true);
  Outcome run();

  // One round. False: there is nothing to do for now, or the search must stop.
  bool step();
  [[nodiscard]] const Outcome& outcome() const { return outcome_; }
  [[nodiscard]] std::optional<Estimate> estimate() const { return search::estimate(tree_); }
  // Completes the outcome of what was explored here (`exhausted`, `why_not`, the estimate) and moves it out.
  Outcome take_outcome();
  [[nodiscard]] bool stopped() const override { return stop_; }
  void stop(std::string why);
  // All that was explored is void, and this search cannot begin again by itself, since others rely on its tree.
  [[nodiscard]] bool is_void() const { return void_; }
  void make_void() { void_ = stop_ = true; }

  // Nothing is left, neither here nor in a unit given away or taken.
  [[nodiscard]] bool done() const { return begun_ && !restart_ && open_.order->empty() && units_.none(); }
  [[nodiscard]] bool has_work() const { return begun_ ? restart_ || !open_.order->empty() : home_; }
  [[nodiscard]] bool has_begun() const { return begun_; }
  // At home: everything below the root is finished.
  [[nodiscard]] bool is_closed() const { return tree_[Tree::kRoot].state == NodeState::closed; }
  [[nodiscard]] std::size_t pending() const { return begun_ ? open_.order->size() : 0; }

  // Has it changed to the algorithm that it falls back to? All who share a tree must agree.
  [[nodiscard]] bool fell_back() const { return outcome_.fell_back; }
  void fall_back_as_others_did();
  [[nodiscard]] Units& units() { return units_; }
  [[nodiscard]] const Units& units() const { return units_; }

  // Does the tree hold all that is left to explore? Not before the first execution, not when all is about to begin again, and
  // not after a stop in the middle of an execution.
  [[nodiscard]] bool is_sound() const { return begun_ && !restart_ && !void_ && !torn_; }
  // Goes on from the pieces of a checkpoint instead of from the initial state. `found`: the outcome up to the checkpoint.
  // Error: the pieces are not valid, or of a search with other options.
  Result<bool> restore(const std::vector<TreePiece>& pieces, const Outcome& found);

 private:
  // Backtracking
  [[nodiscard]] const ThreadSet& enabled(std::uint32_t state) const override { return path_.enabled(state); }
  [[nodiscard]] const ThreadSet& scheduled(std::uint32_t state) const override { return tree_[path_.node(state)].backtrack; }
  [[nodiscard]] bool awake(std::uint32_t state, ThreadId t) const override;
  void schedule(std::uint32_t state, ThreadId t) override;
  void insert(std::uint32_t state, std::span<const SequenceStep> sequence) override;
  // UnitHost
  [[nodiscard]] bool goes_on() const override { return begun_ && !stop_ && !restart_; }
  void ensure_begun() override;
  void begin_again() override { restart_ = true; }
  void apply(const Races& races) override { reduction_->apply(races, *this); }
  void close(NodeId leaf) override;
  // CutHost
  [[nodiscard]] Tree& tree() override { return tree_; }
  [[nodiscard]] const Path& path() const override { return path_; }
  [[nodiscard]] Program& program() override { return program_; }
  [[nodiscard]] const Options& options() const override { return options_; }
  [[nodiscard]] Races& races() override { return races_; }
  void races_behind(std::span<const ThreadOperation> possible) override;
  void schedule_all(std::uint32_t state) override;
  void move_to(NodeId node) override { open_.move_to(node); }
  void leave_out(NodeId pending) override;

  // Rounds
  void clear();
  void start();
  [[nodiscard]] bool must_stop();
  [[nodiscard]] bool is_over();
  [[nodiscard]] std::size_t batch_size() const;
  void fill_batch();  // with what is explored next
  void run_batch(std::span<const NodeId> nodes);
  [[nodiscard]] Request request_for(NodeId node);
  [[nodiscard]] Label label(NodeId node) const { return path_.label(tree_[node].choice.thread, tree_[node].operation); }

  // Results
  [[nodiscard]] bool is_beyond(const Execution& execution) const;
  void fall_back();
  void wake_cut(NodeId leaf);
  void take_result(NodeId node, std::size_t known, Execution&& execution);
  std::uint32_t extend(NodeId node, const Execution& execution, std::uint32_t segment, std::uint32_t first,
                       std::uint32_t count);
  [[nodiscard]] bool is_choice_of(NodeId id, const Event& event) const;
  [[nodiscard]] bool comes_otherwise(NodeId id, std::size_t known, const Execution& execution) const;
  [[nodiscard]] bool is_as_foretold(NodeId id, const Event& event) const;
  void stop_unrepeated(std::uint32_t depth, std::uint32_t site, const std::string& what);
  NodeId revisit(NodeId node, std::uint32_t segment, std::uint32_t index, const Event& event);
  NodeId step(NodeId from, NodeId sent, std::uint32_t segment, std::uint32_t index, const Event& event);
  [[nodiscard]] bool asleep(NodeId state, Choice choice) const;
  Cut::Arrival arrive(const Execution& execution, std::uint32_t index, std::span<const Event> later);
  void races_of_next(const Event& event);
  void races_of_unfinished(const Execution& execution);
  void settle(std::uint32_t state);
  void finish(const Execution& execution, std::span<const Event> unexplored);
  void count_endless_loop();
  void record_bug(const Execution& execution, std::span<const Event> unexplored);
  [[nodiscard]] CutExecution cut_of(const Execution& execution) const;
  std::string first_change(NodeId id);
  void observe(const Execution& execution, std::span<const Event> unexplored);

  Program& program_;
  const Options& options_;
  const ReductionInfo asked_for_;
  std::unique_ptr<Reduction> reduction_;
  bool fell_back_ = false;
  Observer* observer_;
  const bool home_;
  OpenTree open_;
  Tree& tree_ = open_.tree;
  Path& path_ = open_.path;
  Units units_;
  Cuts cuts_;
  bool cut_ = false;  // a cut ended the execution under analysis
  Outcome outcome_;
  bool stop_ = false;
  EndlessLoops endless_loops_;
  bool restart_ = true;  // start from the initial state in the next round; what was explored so far is void
  bool begun_ = false, void_ = false, torn_ = false;
  bool resumed_ = false;  // from a file
  std::chrono::steady_clock::time_point began_;
  // Kept for their capacity.
  Races races_;
  std::vector<std::uint32_t> found_;
  std::uint32_t revisited_ = 0;  // depth of the last transition that only gave an executed node its event (revisit())
  std::vector<NodeId> sent_, batch_, leaves_;
  std::vector<Request> requests_;
  std::vector<const Event*> whole_;
};

}  // namespace inspect::search
