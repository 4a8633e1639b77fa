// The states that a stateful search has explored, and what can happen after each.
//
// A state is *known* once everything below some node that led to it is explored: no limit, and no bug that hides what other
// threads would have done, cut anything there. What slept at that node was not explored below it, so an execution is cut at a
// known state only if all of that sleeps where it arrives too (P. Godefroid, LNCS 1032, ch. 6); else the state is explored
// again, with what sleeps both times. What the summary of the state holds must be reversed with what leads to the cut
// (SEMANTICS I.1). Guarantees: a state is never known too early; a state met again on the way from itself is reported as a
// cycle. Deliberately unknown here: how the summary is applied.
#pragma once
#include <map>
#include <vector>

#include "search/core/path.hpp"
#include "search/core/tree.hpp"
#include "search/cut/summary.hpp"

namespace inspect::search {

class Visited final : public TreeListener {
 public:
  enum class Arrival : std::uint8_t {
    fresh,  // not known; it may be under exploration at another node
    known,
    cycle
  };

  explicit Visited(Tree& tree) : tree_(tree), table_(1u << 10) {}

  // `node`, the last of the path, was executed and led to `state`; wakes what did not sleep there before.
  Arrival arrive(const Path& path, NodeId node, StateId state);
  // Adds an operation that a thread waits to do there.
  void add_waiting(NodeId node, const ThreadOperation& o);
  // Starts the record of a node that is left out: what can happen there follows by add_waiting().
  void begin_mirror(NodeId node);
  // Something below it was left out: its state and those above it do not become known through these nodes.
  void spoil(NodeId node);
  // What can happen in the state that a node led to, if that is known or the node is closed.
  [[nodiscard]] const Summaries::Set& after(NodeId node) const { return summaries_.set(records_[node].summary); }
  [[nodiscard]] bool complete(NodeId node) const { return !records_[node].spoilt; }
  [[nodiscard]] Summaries& summaries() { return summaries_; }
  [[nodiscard]] std::uint64_t size() const { return count_; }

  void on_closing(NodeId node) override;

 private:
  struct Record {
    StateId state;
    Lockset locks = 0;        // held before its transition
    Summaries::Set possible;  // while it is open
    Summaries::Number summary = 0;
    bool spoilt = false, cut = false;
  };
  using SleepSet = std::vector<Choice>;  // in order
  struct Entry {
    StateId state;
    NodeId open = kNoNode;  // the node below which it is being explored
    Summaries::Number summary = 0;
    std::uint32_t slept = 0;  // number of what slept there
    bool used = false, known = false;
  };

  Record& record(NodeId node);
  Entry& find(StateId state);
  Entry& slot(std::vector<Entry>& table, StateId state) const;
  void grow();
  std::uint32_t number_of(const SleepSet& set);
  [[nodiscard]] SleepSet asleep_at(NodeId node) const;

  Tree& tree_;
  Summaries summaries_;
  std::vector<Record> records_;  // by node
  std::vector<Entry> table_;     // open addressing, at most half full
  std::map<SleepSet, std::uint32_t> sleep_set_numbers_;
  std::vector<const SleepSet*> sleep_sets_;
  std::uint64_t count_ = 0;
};

}  // namespace inspect::search
