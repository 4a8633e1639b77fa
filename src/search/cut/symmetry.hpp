// Transition symmetry: Y. Yang, X. Chen, G. Gopalakrishnan, C. Wang, "Automatic discovery of transition symmetry in
// multithreaded programs using dynamic analysis", SPIN 2009; the dissertation, ch. 7.
//
// A transition of t need not be explored from a state if one of a thread u was explored from there and swapping t and u leads
// from the state to itself: what follows t is what followed u, with the names swapped. A skip is a cut: what can happen in the
// part left out would have inserted backtrack points above, so the summary of what followed u is mirrored and reversed with
// what leads to the state (SEMANTICS I.2). Guarantees: only threads done before t are compared; an object that the swap may
// move counts as one that everything depends on; what slept before u sleeps before t too, since otherwise u's part covers less
// than t's would (docs/algorithms.md). Deliberately unknown here: how it is found out that a swap leads to the same state.
#pragma once
#include <vector>

#include "search/cut/known_states.hpp"

namespace inspect::search {

class Symmetry final : public Cut {
 public:
  Symmetry(CutHost& host, KnownStates& states) : host_(host), states_(states) {}

  void begin() override;
  void prepare(Request& request) const override { request.symmetric_pairs = true; }
  // Once a number stands for an address or a thread, no threads are symmetric.
  [[nodiscard]] bool is_beyond(const Execution&) const override { return host_.program().swaps().addresses_used(); }
  Arrival on_arrival(const Execution& execution, std::uint32_t index, std::span<const Event> later) override;
  Sending before_send(NodeId pending, std::span<const NodeId> before) override;
  void report(Outcome& outcome) const override;

 private:
  bool skip(NodeId pending);
  void leave_out_mirror_of(NodeId pending, NodeId explored);
  [[nodiscard]] NodeId find_explored(NodeId pending, const Operation& next) const;
  [[nodiscard]] bool must_wait(NodeId pending, std::span<const NodeId> before) const;
  template <class F>
  void mirror(NodeId pending, NodeId explored, F&& f) const;
  [[nodiscard]] bool sleepers_stay(NodeId explored, ThreadId t, ThreadId u) const;
  [[nodiscard]] bool alike(NodeId state, ThreadId t, ThreadId u) const;
  [[nodiscard]] static bool creates(const Summaries::Set& set, Summaries& all, ThreadId t, ThreadId u);
  [[nodiscard]] bool stays(std::uint64_t object, std::uint32_t size, ThreadId t, ThreadId u) const;
  static bool joins_next(std::span<const Event> later, const SymmetricPair& pair);
  static std::uint64_t mirrored(std::uint64_t object, ThreadId t, ThreadId u);

  CutHost& host_;
  KnownStates& states_;
  std::vector<std::vector<SymmetricPair>> symmetric_pairs_;  // by node
  Symmetries counts_;
};

}  // namespace inspect::search
