// The races that the reductions built on backtracking reverse.
//
// A transition is in a race with an earlier one of another thread if they are dependent, may be co-enabled, and the earlier one
// does not happen before it (SEMANTICS H.1). Looked at are a transition when it is taken, with the label it turned out to have,
// and what a thread waits to do while it cannot (H.2): it may never be taken in this execution. docs/algorithms.md says why
// these are all that is needed.
#pragma once
#include "search/reduction.hpp"

namespace inspect::search {

// All races of `label`, the next operation of t in the last state of the path. For each, `first` holds the threads that can
// come first if the earlier transition is put behind it (the initials of Abdulla et al., "Source sets", 2017), empty if the
// path shows none. Returns the depth of the latest, 0 if there is none.
std::uint32_t find_races(const Path& path, ThreadId t, const Label& label, Races& out);

// Calls f(t, label) for every thread that cannot move in the last state and may have new races there: its next operation is
// new, or the last transition is dependent on it.
template <class F>
void for_each_newly_blocked(const Path& path, F&& f);

// Inserts a thread of `first`, unless one is explored already.
void insert(const Race& race, Backtracking& tree);

inline bool can_ever_move(const Pending* p) {
  return p && p->operation.kind != INSPECT_OP_None && p->operation.kind != INSPECT_OP_AssumeFailed &&
         p->operation.kind != INSPECT_OP_SpinWait;
}

template <class F>
void for_each_newly_blocked(const Path& path, F&& f) {
  if (mutated(Mutation::skip_blocked_pending)) return;
  const std::uint32_t d = path.depth();
  for (unsigned i = 0; i < path.threads(); ++i) {
    const auto t = static_cast<ThreadId>(i);
    if (path.enabled(d).contains(t)) continue;
    const Pending* next = path.pending(t);
    if (!can_ever_move(next)) continue;
    const Label label = path.label(t, next->operation);
    if (t != path.thread(d)) {
      if (mutated(Mutation::skip_other_pending)) continue;
      if (path.happens_before(d, t) || !path.depends(label, d)) continue;
    }
    f(t, label);
  }
}

}  // namespace inspect::search
