// Transition symmetry: Y. Yang, X. Chen, G. Gopalakrishnan, C. Wang, "Automatic discovery of transition symmetry in
// multithreaded programs using dynamic analysis", SPIN 2009; the dissertation, ch. 7.
//
// A transition of t need not be explored from a state if one of a thread u was explored from there and swapping t and u leads
// from the state to itself: what follows t is what followed u, with the names swapped. A skip is a cut: what can happen in the
// part left out would have inserted backtrack points above, so the summary of what followed u is mirrored and reversed with
// what leads to the state (SEMANTICS I.2). Guarantees: only threads done before t are compared; what the swap may move
// elsewhere depends on everything; what slept before u sleeps before t, else it left out more than t may (docs/algorithms.md).
// Deliberately unknown here: how it is found out that a swap leads to the same state.
#pragma once
#include <vector>

#include "search/path.hpp"
#include "search/program.hpp"
#include "search/visited.hpp"

namespace inspect::search {

class Symmetry {
 public:
  Symmetry(const Tree& tree, const Program& program) : tree_(tree), program_(program) {}

  // The execution led to `node`, in whose state these can be swapped, and went on with `later`.
  void arrive(NodeId node, std::span<const Twin> twins, std::span<const Event> later);
  // A sibling of `pending` that was explored completely and is its mirror image; kNoNode if there is none.
  [[nodiscard]] NodeId find_explored(NodeId pending, const Operation& next, Visited& visited) const;

  // Has a sibling that it may be the mirror image of yet to be finished, or is one among `before`?
  [[nodiscard]] bool must_wait(NodeId pending, std::span<const NodeId> before) const;

  // The summary of what followed `explored`, and its own operation, as they are for `pending`: f(operation, whether it is known
  // what it touches).
  template <class F>
  void mirror(const Path& path, NodeId pending, NodeId explored, Visited& visited, F&& f) const;

 private:
  [[nodiscard]] bool sleepers_stay(NodeId explored, ThreadId t, ThreadId u) const;
  [[nodiscard]] bool alike(NodeId state, ThreadId t, ThreadId u) const;
  [[nodiscard]] static bool creates(const Summaries::Set& set, Summaries& all, ThreadId t, ThreadId u);
  [[nodiscard]] bool stays(std::uint64_t object, std::uint32_t size, ThreadId t, ThreadId u) const;
  static bool joins_next(std::span<const Event> later, const Twin& twin);
  static std::uint64_t mirrored(std::uint64_t object, ThreadId t, ThreadId u);

  const Tree& tree_;
  const Program& program_;
  std::vector<std::vector<Twin>> twins_;  // by node
};

template <class F>
void Symmetry::mirror(const Path& path, NodeId pending, NodeId explored, Visited& visited, F&& f) const {
  const ThreadId t = tree_[pending].choice.thread, u = tree_[explored].choice.thread;
  Summaries& all = visited.summaries();
  Summaries::Set set = visited.after(explored);
  Summaries::insert(set, all.number_of({u, tree_[explored].operation}));
  Summaries::for_each(set, [&](Summaries::Number n) {
    ThreadOperation o = all.operation(n);
    o.locks = path.locks_of(o.locks, [&](std::uint64_t object, std::uint32_t size) { return stays(object, size, t, u); });
    o.thread = o.thread == t ? u : o.thread == u ? t : o.thread;
    o.operation.object = mirrored(o.operation.object, t, u);
    o.operation.object2 = mirrored(o.operation.object2, t, u);
    // What a section touches is known of a thread that was in it.
    const bool is_known = o.operation.kind != INSPECT_OP_AtomicSection || mutated(Mutation::mirrored_sections_touch_nothing);
    f(o, is_known && stays(o.operation.object, o.operation.size, t, u) && stays(o.operation.object2, o.operation.size2, t, u));
  });
}

}  // namespace inspect::search
