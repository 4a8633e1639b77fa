// The races that the reductions built on backtracking reverse.
//
// A transition is in a race with an earlier one of another thread if they are dependent, may be co-enabled, and the earlier one
// does not happen before it (SEMANTICS H.1). Races are computed for each transition when it is taken, with the label it turned
// out to have, and for what a thread waits to do while it is blocked (H.2), since it may never be taken in this execution.
// docs/algorithms.md, "Which races", says why these are enough.
#pragma once
#include "search/reduction/reduction.hpp"

namespace inspect::search {

// Adds a race of `next`, of t in the last state of the path, with each of the transitions at the depths `with`. `first` gets
// the threads that can come first if that transition is put behind `next` (the initials of Abdulla et al., "Source Sets", JACM
// 2017); if there is none, no race is added.
void add_races(const Path& path, ThreadId t, std::span<const std::uint32_t> with, Races& out);

// Calls f(t, label) for every thread that cannot move in the last state and may have new races there: its next operation is
// new, or the last transition is dependent on it.
template <class F>
void for_each_newly_blocked(const Path& path, F&& f);

// Inserts a thread of each race's `first`, unless one is explored already.
void insert(const Races& races, Backtracking& tree);

template <class F>
void for_each_newly_blocked(const Path& path, F&& f) {
  if (mutated(Mutation::skip_blocked_pending)) return;
  const std::uint32_t d = path.depth();
  ThreadSet blocked = path.movable();
  blocked -= path.enabled(d);
  blocked.for_each([&](unsigned i) {
    const auto t = static_cast<ThreadId>(i);
    const Label label = path.label(t, path.pending(t)->operation);
    if (t != path.thread(d)) {
      if (mutated(Mutation::skip_other_pending)) return;
      if (path.happens_before(d, t) || !path.depends(label, d)) return;
    }
    f(t, label);
  });
}

}  // namespace inspect::search
