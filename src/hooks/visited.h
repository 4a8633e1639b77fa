// States that executions have met, for the runtime to end others where they arrive in one of them. It stands behind the table
// of shared locations in the channel.
//
// It forgets: each state has one place, and takes it from the one that is there. Guarantees: fixed layout, no pointers; usable
// from C. What it says is a hint, since the program may write there: the explorer keeps its own account of which states it
// knows.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "hooks/channel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { INSPECT_VISITED_ENTRIES = INSPECT_VISITED_BYTES / 8 };

static inline uint64_t* inspect_visited_of(inspect_channel* channel) {
  return (uint64_t*)((char*)channel + sizeof(inspect_channel) + INSPECT_LOG_BYTES + INSPECT_SHARED_TABLE_BYTES);
}

// Was the state met before, in an execution of the same number? From now on it was.
static inline bool inspect_visit(inspect_channel* channel, uint64_t number, uint64_t low, uint64_t high) {
  uint64_t* const place = inspect_visited_of(channel) + low % INSPECT_VISITED_ENTRIES;
  const uint64_t mark = high ^ number * 0x9E3779B97F4A7C15ull;
  if (__atomic_exchange_n(place, mark, __ATOMIC_RELAXED) == mark) return true;
  return false;
}

#ifdef __cplusplus
}
#endif
