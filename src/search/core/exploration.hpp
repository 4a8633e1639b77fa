// The state of one search: the tree, the path under analysis, and what was found so far.
//
// One round: take the next pending transitions, at most a batch of them, have the program run them, extend the tree by each
// result, compute its races and insert what they ask for. Siblings are totally ordered by when they were sent; only earlier
// ones sleep in later ones (docs/algorithms.md; SEMANTICS J). Parts of the tree can be given to other searches and taken from
// them (peers.hpp), and all of it written down and read again (frontier.hpp). Deliberately unknown here: which algorithm, what
// the program is, who the others are.
#pragma once
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "search/core/endless_loops.hpp"
#include "search/core/estimate.hpp"
#include "search/core/order.hpp"
#include "search/core/path.hpp"
#include "search/core/tree.hpp"
#include "search/cut/cut.hpp"
#include "search/reduction/reduction.hpp"
#include "search/reduction/wakeup.hpp"
#include "search/search.hpp"
#include "search/share/frontier.hpp"
#include "search/share/peers.hpp"

namespace inspect::search {

// The row that the options ask for.
const ReductionInfo& reduction_of(const Options& options);

class Exploration final : private CutHost {
 public:
  // Where others explore parts of the tree, `peers` is told; only one of them has the root, home().
  Exploration(Program& program, const Options& options, const ReductionInfo& reduction, Observer* observer,
              Peers* peers = nullptr, bool home = true);
  Outcome run();

  // One round. False: there is nothing to do for now, or the search must stop.
  bool step();
  [[nodiscard]] const Outcome& outcome() const { return outcome_; }
  [[nodiscard]] std::optional<Estimate> estimate() const { return search::estimate(tree_); }
  // Outcome of what was explored here.
  Outcome take_outcome();
  [[nodiscard]] bool stopped() const { return stop_; }
  void stop(std::string why);
  // All that was explored is void, and it cannot begin again from here: others rely on it.
  [[nodiscard]] bool is_void() const { return void_; }
  void make_void() { void_ = stop_ = true; }

  // Nothing is left, neither here nor in a unit given away or taken.
  [[nodiscard]] bool done() const { return begun_ && !restart_ && order_->empty() && given_.empty() && adopted_count_ == 0; }
  [[nodiscard]] bool has_work() const { return begun_ ? restart_ || !order_->empty() : home_; }
  [[nodiscard]] bool has_begun() const { return begun_; }
  // At home: everything below the root is finished.
  [[nodiscard]] bool is_closed() const { return tree_[Tree::kRoot].state == NodeState::closed; }
  [[nodiscard]] std::size_t pending() const { return begun_ ? order_->size() : 0; }
  // Of all that is finished: at home the whole search, else nothing that counts.
  [[nodiscard]] const Counts& finished() const { return units_[0].counts; }

  // Does it explore by `source`, though asked for `optimal`? Those who share a tree must agree.
  [[nodiscard]] bool fell_back() const { return outcome_.fell_back; }
  void use_source();
  // A pending transition for another search, as text; none if there is none to spare.
  std::optional<std::pair<UnitName, std::string>> give();
  // Explores a unit of another search. Error: it is not one.
  Result<bool> adopt(UnitName name, std::string_view unit);
  void take_race(UnitName given, const RemoteRace& race);
  void take_finished(UnitName given, const UnitResult& result);
  // The search that has the unit is gone: it is pending here again.
  void take_back(UnitName given);
  // Gives up what is left of a unit of another search.
  void drop(UnitName adopted);
  template <class F>
  void drop_units_of(F&& is_of);

  // Does the tree hold what is left to explore? Not before the first execution, when all is about to begin again, or when it
  // was stopped in the middle of one.
  [[nodiscard]] bool is_sound() const { return begun_ && !restart_ && !void_ && !torn_; }
  // The tree, and each unit taken from others, as pieces of a checkpoint: name (0: the tree) and text. Between rounds only.
  struct Piece {
    UnitName name;
    Counts counts;
    std::string text;
  };
  [[nodiscard]] std::vector<Piece> pieces() const;
  // Goes on from pieces instead of from the initial state. found: of all that was explored. Error: they are none.
  Result<bool> restore(const std::vector<Piece>& pieces, const Outcome& found);

 private:
  // A part of the tree with a count of its own: [0] what is kept here, then units of others.
  struct WorkUnit {
    UnitName name = 0;
    NodeId top = kNoNode;   // first node of the prefix
    NodeId leaf = kNoNode;  // the transition to be explored
    Counts counts;
    std::vector<NodeId> sleepers;
    std::vector<std::vector<NodeId>> covered;  // for each state behind a node of the prefix: what covers sequences there
    // Races its owner was told of: state, thread, first.
    std::set<std::tuple<std::uint32_t, ThreadId, std::uint64_t, std::uint64_t>> told;
  };
  // Backtracking
  [[nodiscard]] const ThreadSet& enabled(std::uint32_t state) const override { return path_.enabled(state); }
  [[nodiscard]] const ThreadSet& scheduled(std::uint32_t state) const override { return tree_[path_.node(state)].backtrack; }
  [[nodiscard]] bool awake(std::uint32_t state, ThreadId t) const override;
  void schedule(std::uint32_t state, ThreadId t) override;
  void insert(std::uint32_t state, std::span<const WakeupStep> sequence) override;
  // CutHost
  [[nodiscard]] Tree& tree() override { return tree_; }
  [[nodiscard]] const Path& path() const override { return path_; }
  [[nodiscard]] Program& program() override { return program_; }
  [[nodiscard]] const Options& options() const override { return options_; }
  [[nodiscard]] Races& races() override { return races_; }
  void races_behind(std::span<const ThreadOperation> possible) override;
  void schedule_all(std::uint32_t state) override;
  void move_to(NodeId node) override;
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
  void collect_sleepers(NodeId node);
  [[nodiscard]] NodeId known_above(NodeId node) const;
  [[nodiscard]] Label label(NodeId node) const { return path_.label(tree_[node].choice.thread, tree_[node].operation); }

  // Results
  [[nodiscard]] bool is_beyond(const Execution& execution) const;
  [[nodiscard]] bool beyond_wakeup(const Execution& execution) const;
  void fall_back();
  void take_result(NodeId node, std::size_t known, Execution&& execution);
  std::uint32_t extend(NodeId node, const Execution& execution, std::uint32_t segment, std::uint32_t first,
                       std::uint32_t count);
  [[nodiscard]] bool is_choice_of(NodeId id, const Event& event) const;
  [[nodiscard]] bool is_as_foretold(NodeId id, const Event& event) const;
  void stop_unrepeated(std::uint32_t depth, std::uint32_t site, const std::string& what);
  NodeId revisit(NodeId node, std::uint32_t segment, std::uint32_t index, const Event& event);
  NodeId step(NodeId from, NodeId sent, std::uint32_t segment, std::uint32_t index, const Event& event);
  [[nodiscard]] bool asleep(NodeId state, Choice choice) const;
  Cut::Arrival arrive(const Execution& execution, std::uint32_t index, std::span<const Event> later);
  void races_of_next(const Event& event);
  void races_of_waiting(ThreadId t, const Label& next);
  void races_of_unfinished(const Execution& execution);
  void settle(std::uint32_t state);
  void finish(const Execution& execution, std::span<const Event> unexplored);
  void count_endless_loop();
  void record_bug(const Execution& execution, std::span<const Event> unexplored);
  [[nodiscard]] CutExecution cut_of(const Execution& execution) const;
  std::string first_change(NodeId id);
  void observe(const Execution& execution, std::span<const Event> unexplored);
  void close(NodeId leaf);

  // Work units
  [[nodiscard]] std::uint32_t unit_of_path() const { return path_.depth() ? tree_[path_.node(1)].unit : 0; }
  [[nodiscard]] std::uint32_t unit_of(NodeId node) const;
  [[nodiscard]] bool may_give(NodeId node) const;
  void add_covered(NodeId state, NodeId through, FrontierWriter& writer) const;
  void apply_races();
  bool send_away(const Race& race);
  void finish_units();
  void remove_unit(std::uint32_t unit);
  void forget_below(NodeId node);
  [[nodiscard]] Frontier with_sections(Frontier frontier) const;
  void learn(const Frontier& frontier);
  [[nodiscard]] Frontier piece_of(NodeId top) const;
  std::vector<NodeId> load_sleepers(const Frontier& frontier);
  NodeId load_node(const FrontierNode& from, NodeId parent, const std::vector<NodeId>& sleepers);
  struct Loading;
  Result<bool> load(const Frontier& frontier, NodeId top, Loading& loading);

  Program& program_;
  const Options& options_;
  const ReductionInfo asked_for_;
  std::unique_ptr<Reduction> reduction_;
  bool fell_back_ = false;
  Observer* observer_;
  Peers* peers_;
  const bool home_;
  ReductionTraits traits_;
  Sections sections_;  // outlives a restart
  Tree tree_;
  Path path_;
  Wakeup wakeup_;
  Cuts cuts_;
  bool cut_ = false;  // the execution under analysis ends where a cut said so
  std::unique_ptr<Order> order_;
  Outcome outcome_;
  bool stop_ = false;
  EndlessLoops endless_loops_;
  bool restart_ = true;  // what was explored so far is void: from the initial state again
  bool begun_ = false, void_ = false, torn_ = false;
  bool resumed_ = false;            // from a file
  std::vector<WorkUnit> units_{1};  // by number; those without a name are free
  std::size_t adopted_count_ = 0;
  std::map<UnitName, NodeId> given_;
  std::chrono::steady_clock::time_point began_;
  // Kept for their capacity.
  Races races_;
  std::vector<std::uint32_t> found_;
  std::uint32_t revisited_ = 0;  // depth of the last transition of an execution that was not new, but here
  std::vector<NodeId> chain_, sent_, batch_;
  std::vector<Request> requests_;
  std::vector<const Event*> whole_;
};

template <class F>
void Exploration::drop_units_of(F&& is_of) {
  for (std::size_t i = 1; i < units_.size(); ++i)
    if (units_[i].name && is_of(units_[i].name)) drop(units_[i].name);
}

}  // namespace inspect::search
