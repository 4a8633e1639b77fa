// The parts of a tree that are given to other searches, taken from them, written down, and read again.
//
// peers.hpp says what a work unit is and who owns what, frontier.hpp how it is written. Guarantees: each state has one owner,
// and races with transitions of a unit's prefix go to it; a search can go on from what was written, with nothing explored twice
// and nothing left out (docs/algorithms.md, "Several searches on one tree"). Deliberately unknown here: rounds, and how
// executions end.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "search/core/open_tree.hpp"
#include "search/search.hpp"
#include "search/share/frontier.hpp"
#include "search/share/peers.hpp"

namespace inspect::search {

// The search whose tree it is.
class UnitHost {
 public:
  virtual ~UnitHost() = default;
  [[nodiscard]] virtual bool stopped() const = 0;
  // Has it begun, and is neither a stop nor a restart due?
  [[nodiscard]] virtual bool goes_on() const = 0;
  // Makes sure that there is a tree.
  virtual void ensure_begun() = 0;
  // All that was explored is void.
  virtual void begin_again() = 0;
  virtual void apply(const Races& races) = 0;
  // Closes what is finished from this leaf on.
  virtual void close(NodeId leaf) = 0;
};

// A part of a tree as a piece of a checkpoint: name (0: the tree that began at home) and text.
struct TreePiece {
  UnitName name;
  Counts counts;
  std::string text;
};

class Units {
 public:
  // home: this search has the root.
  Units(UnitHost& host, OpenTree& open, const Options& options, Peers* peers, bool home)
      : host_(host), open_(open), options_(options), peers_(peers), home_(home) {}

  // A pending transition for another search: the unit's name and text. None if there is none to spare.
  std::optional<std::pair<UnitName, std::string>> give();
  void take_race(UnitName given, const RemoteRace& race);
  void take_finished(UnitName given, const UnitResult& result);
  // The search that has the unit is gone: it is pending here again.
  void take_back(UnitName given);

  // Explores a unit of another search. Error: the text is not a unit.
  Result<bool> adopt(UnitName name, std::string_view unit);
  // Gives up what is left of a unit of another search.
  void drop(UnitName adopted);
  template <class F>
  void drop_those(F&& are_meant);
  // Takes out of an execution's races those at states that another search owns, and has it told.
  void send_remote(Races& races);
  // Sends one race at a state that another search owns.
  void send(const Race& race, const Races& all);
  // Tells the owners of units of which nothing is left.
  void finish();

  // Is nothing given away, and nothing taken from others?
  [[nodiscard]] bool none() const { return given_.empty() && adopted_count_ == 0; }
  // Has this search the root, or a unit of another search?
  [[nodiscard]] bool any_here() const { return adopted_count_ || home_; }
  // At home: the counts of all that is finished, here and elsewhere. Not used in other searches.
  [[nodiscard]] const Counts& finished() const { return units_[0].counts; }
  // Adds the counts of an execution to the part of the tree that the path is in.
  void count(const Counts& counts) { units_[unit_of_path()].counts += counts; }
  // The tree was cleared.
  void clear() { units_.assign(1, {}); }

  // The tree, and each unit taken from others. Between rounds only.
  [[nodiscard]] std::vector<TreePiece> pieces() const;
  // Goes on from pieces instead of from the initial state. found: the outcome up to then. False: nothing was explored yet.
  // Error: they are not the pieces of one tree.
  Result<bool> restore(const std::vector<TreePiece>& pieces, const Outcome& found);

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
  struct Loading;

  [[nodiscard]] std::uint32_t unit_of_path() const { return path_.depth() ? tree_[path_.node(1)].unit : 0; }
  [[nodiscard]] std::uint32_t unit_of(NodeId node) const;
  [[nodiscard]] bool may_give(NodeId node) const;
  void add_covered(NodeId state, NodeId through, FrontierWriter& writer) const;
  std::uint32_t free_number();
  void remove(std::uint32_t unit);
  void forget_below(NodeId node);
  [[nodiscard]] Frontier with_sections(Frontier frontier) const;
  void learn(const Frontier& frontier);
  [[nodiscard]] Frontier piece_of(NodeId top) const;
  std::vector<NodeId> load_sleepers(const Frontier& frontier);
  NodeId load_node(const FrontierNode& from, NodeId parent, const std::vector<NodeId>& sleepers);
  Result<bool> load(const Frontier& frontier, NodeId top, Loading& loading);
  Result<bool> load_given(const FrontierNode& from, NodeId id, Loading& loading);

  UnitHost& host_;
  OpenTree& open_;
  Tree& tree_ = open_.tree;
  Path& path_ = open_.path;
  const Options& options_;
  Peers* peers_;
  const bool home_;
  std::vector<WorkUnit> units_{1};  // by number; those without a name are free
  std::size_t adopted_count_ = 0;
  std::map<UnitName, NodeId> given_;
};

template <class F>
void Units::drop_those(F&& are_meant) {
  for (std::size_t i = 1; i < units_.size(); ++i)
    if (units_[i].name && are_meant(units_[i].name)) drop(units_[i].name);
}

}  // namespace inspect::search
