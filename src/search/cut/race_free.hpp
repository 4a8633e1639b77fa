// Property-driven pruning: where an execution asks for something else, but everything that follows is free of data races,
// nothing else is explored (C. Wang, Y. Yang, A. Gupta, G. Gopalakrishnan, ATVA 2008; the dissertation, ch. 5; SEMANTICS I.3).
//
// What can happen behind such a state is reversed with what leads there; where that asks for a thread, the state there is
// checked in the same way. Deliberately unknown here: how it is found out that no race follows (race_free_analysis.hpp).
#pragma once
#include <set>

#include "search/cut/cut.hpp"
#include "search/cut/race_free_analysis.hpp"

namespace inspect::search {

class RaceFreeSubspaces final : public Cut {
 public:
  explicit RaceFreeSubspaces(CutHost& host) : host_(host) {}

  void begin() override { counts_ = {}; }
  void prepare(Request& request) const override { request.accesses = !never_; }
  void after_execution(const Execution& execution) override;
  void report(Outcome& outcome) const override { outcome.pruning = counts_; }

 private:
  [[nodiscard]] std::set<std::uint32_t> asked_for() const;
  void prune(const Code& code, std::set<std::uint32_t> asked);

  CutHost& host_;
  WalkedCode walked_;
  Backoff backoff_;
  bool never_ = false;  // nothing can be pruned in this program: accesses need not be told
  Pruning counts_;
};

}  // namespace inspect::search
