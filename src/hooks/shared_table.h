// The table of locations that are scheduling points though they are plain memory: all shared ones with visible=all, else those
// with a race that the search goes on behind. It stands behind the log of the channel: the runtime fills
// it, it outlives a dead executor, and a replay puts into it what its schedule takes for granted.
//
// Guarantees: fixed layout, no pointers; usable from C. A location, once shared, stays so; they are numbered as they become so.
// Deliberately unknown here: when a location becomes shared.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "hooks/channel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { INSPECT_MAX_LISTED = 1 << 16 };
enum { INSPECT_SHARED_BITS = 22, INSPECT_SHARED_ENTRIES = 1 << INSPECT_SHARED_BITS };

typedef struct inspect_shared_entry {
  uint64_t granule;                 // address / 8; 0: free
  uint32_t execution;               // in which `owner` touched it first
  uint32_t owner : 8, shared : 23;  // shared: its number, from 1; 0: it is not
  uint32_t forbidden : 1;           // a race there ends its execution
} inspect_shared_entry;

typedef struct inspect_shared_table {
  uint64_t used;
  uint32_t execution;
  uint64_t listed[INSPECT_MAX_LISTED];  // granules by number - 1
  inspect_shared_entry entries[INSPECT_SHARED_ENTRIES];
} inspect_shared_table;

#ifdef __cplusplus
static_assert(sizeof(inspect_shared_table) <= INSPECT_SHARED_TABLE_BYTES);
#endif

static inline inspect_shared_table* inspect_shared_table_of(inspect_channel* channel) {
  return (inspect_shared_table*)((char*)channel + sizeof(inspect_channel) + INSPECT_LOG_BYTES);
}

// The entry of address / 8, new if need be; null when the table is half full, beyond which probing gets slow.
static inline inspect_shared_entry* inspect_shared_entry_of(inspect_shared_table* table, uint64_t granule) {
  uint64_t at = (granule * 0x9E3779B97F4A7C15ull) >> (64 - INSPECT_SHARED_BITS);
  inspect_shared_entry* entry = &table->entries[at];
  for (uint32_t i = 0; entry->granule && entry->granule != granule; ++i) {
    if (i == INSPECT_SHARED_ENTRIES) return 0;  // somebody wrote over it
    at = (at + 1) % INSPECT_SHARED_ENTRIES;
    entry = &table->entries[at];
  }
  if (!entry->granule) {
    if (table->used >= INSPECT_SHARED_ENTRIES / 2) return 0;
    ++table->used;
    entry->granule = granule;
  }
  return entry;
}

// Likewise, but null if there is none.
static inline const inspect_shared_entry* inspect_shared_entry_if(const inspect_shared_table* table, uint64_t granule) {
  uint64_t at = (granule * 0x9E3779B97F4A7C15ull) >> (64 - INSPECT_SHARED_BITS);
  while (table->entries[at].granule && table->entries[at].granule != granule) at = (at + 1) % INSPECT_SHARED_ENTRIES;
  return table->entries[at].granule ? &table->entries[at] : 0;
}

// From now on the location is a scheduling point.
static inline void inspect_make_shared(inspect_channel* channel, inspect_shared_entry* entry) {
  const uint32_t number = ++channel->shared_locations_grew;
  entry->shared = number;
  if (number <= INSPECT_MAX_LISTED) inspect_shared_table_of(channel)->listed[number - 1] = entry->granule;
}

#ifdef __cplusplus
}
#endif
