// A bound on preemptions: switches away from a thread that is still enabled. Switches from one that is blocked or has ended are
// free (M. Musuvathi, S. Qadeer, "Iterative context bounding", PLDI 2007).
//
// Putting a transition before an earlier one of another thread may cut that thread's block in two and so take a preemption more
// than the schedule looked for. Therefore each race is also reversed where the block of the earlier transition begins, where
// the switch is free or was paid for already (K. Coons, M. Musuvathi, K. McKinley, "Bounded partial-order reduction", OOPSLA
// 2013), and pairs count as races that are never enabled together, as an unlock and a lock are: blocking makes switches free.
// No sleep sets: what follows a sleeper may have been left out. Guarantees: where nothing is beyond the bound, this is an
// ordinary search with persistent sets, so nothing is missed; within a bound that leaves something out, no class was ever
// missed that has a schedule within it, but that is tested, not proved (docs/algorithms.md). Deliberately unknown here: what
// the bound is; the exploration refuses what is beyond it.
#pragma once
#include <memory>

#include "search/reduction.hpp"

namespace inspect::search {

// Would t, taking the next transition from `state`, preempt the thread that moved last?
inline bool preempts(const Path& path, std::uint32_t state, ThreadId t) {
  return state > 0 && path.thread(state) != t && path.enabled(state).contains(path.thread(state));
}

// The state before the block, consecutive transitions of one thread, that the transition at depth d is in.
inline std::uint32_t block_start(const Path& path, std::uint32_t d) {
  std::uint32_t state = d - 1;
  while (state > 0 && path.thread(state) == path.thread(d)) --state;
  return state;
}

// The reduction that is sound under a bound: naive stays itself, anything else becomes persistent sets with these points.
std::unique_ptr<Reduction> bound_preemptions(std::unique_ptr<Reduction> reduction);

}  // namespace inspect::search
