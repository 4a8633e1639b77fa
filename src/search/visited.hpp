// The states that a stateful search has explored, and what can happen after each.
//
// A state is *known* once everything below some node that led to it is explored: no limit, and no bug that hides what other
// threads would have done, cut anything there. An execution that arrives in a known state is cut; what the summary of that
// state holds must then be reversed with what leads there (SEMANTICS I.1). Guarantees: a state is never known too early; a
// state met again on the way from itself is reported as a cycle. Deliberately unknown here: how the summary is applied.
#pragma once
#include <vector>

#include "search/path.hpp"
#include "search/summary.hpp"
#include "search/tree.hpp"

namespace inspect::search {

class Visited final : public TreeListener {
 public:
  enum class Arrival : std::uint8_t {
    fresh,  // or explored somewhere else at this moment
    known,
    cycle
  };

  explicit Visited(const Tree& tree) : tree_(tree), table_(1u << 10) {}

  // `node`, the last of the path, was executed and led to `state`.
  Arrival arrive(const Path& path, NodeId node, StateId state);
  // A thread waits there to do this.
  void add_waiting(NodeId node, ThreadId t, const Operation& o);
  // A node that is not executed: what can happen there is added as what waits.
  void begin_mirror(NodeId node);
  // What can happen below it is not known, and so neither above it.
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
    Summaries::Set possible;  // while it is open
    Summaries::Number summary = 0;
    bool spoilt = false, cut = false;
  };
  struct Entry {
    enum class Kind : std::uint8_t { empty, open, known, spoilt };
    StateId state;
    std::uint32_t value = 0;  // the node while open, then the summary
    Kind kind = Kind::empty;
  };

  Record& record(NodeId node);
  Entry& find(StateId state);
  Entry& slot(std::vector<Entry>& table, StateId state) const;
  void grow();

  const Tree& tree_;
  Summaries summaries_;
  std::vector<Record> records_;  // by node
  std::vector<Entry> table_;     // open addressing, at most half full
  std::uint64_t count_ = 0;
};

}  // namespace inspect::search
