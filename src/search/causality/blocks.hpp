// Blocks of a path: consecutive transitions of one thread.
#pragma once
#include "search/core/path.hpp"

namespace inspect::search {

// Would t, taking the next transition from `state`, preempt the thread that moved last?
inline bool preempts(const Path& path, std::uint32_t state, ThreadId t) {
  return state > 0 && path.thread(state) != t && path.enabled(state).contains(path.thread(state));
}

// The state before the block that the transition at depth d is in.
inline std::uint32_t block_start(const Path& path, std::uint32_t d) {
  std::uint32_t state = d - 1;
  while (state > 0 && path.thread(state) == path.thread(d)) --state;
  return state;
}

}  // namespace inspect::search
