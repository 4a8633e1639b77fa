// Stateful search: an execution that arrives in a known state is cut, and what can happen behind it is reversed with what leads
// there (Y. Yang, X. Chen, G. Gopalakrishnan, R. Kirby, SPIN 2008; the dissertation, ch. 4; SEMANTICS I.1).
//
// Without cutting, it only keeps what can follow each node, for symmetry.hpp. Guarantees: no cut where a loop waits, or
// where a state repeats on the way from itself: such a program is explored without this cut. Deliberately unknown here: when a
// state is known (visited.hpp).
#pragma once
#include "search/cut/cut.hpp"
#include "search/cut/visited.hpp"

namespace inspect::search {

class KnownStates final : public Cut {
 public:
  KnownStates(CutHost& host, bool cuts) : host_(host), cuts_(cuts) {}

  [[nodiscard]] Visited& visited() { return *visited_; }
  // Are executions cut, so that others of a batch may make one needless?
  [[nodiscard]] bool cuts() const { return cuts_; }

  void begin() override;
  void prepare(Request& request) const override;
  [[nodiscard]] bool is_beyond(const Execution& execution) const override;
  Arrival on_arrival(const Execution& execution, std::uint32_t index, std::span<const Event> later) override;
  void on_unknown_end(bool by_bug) override;
  [[nodiscard]] std::optional<std::string> must_stop() const override;
  [[nodiscard]] unsigned largest_batch() const override;
  void report(Outcome& outcome) const override;

 private:
  void meet(std::uint32_t state);
  void races_behind(NodeId node);

  CutHost& host_;
  const bool cuts_;
  std::optional<Visited> visited_;
};

}  // namespace inspect::search
