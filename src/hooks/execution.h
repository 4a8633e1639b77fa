// What executions are asked for and how they end: kinds of ends, bugs and limits, policies, values of inputs.
//
// Guarantees: numbers never change their meaning between explorer and executor, which are built of the same file. Deliberately
// unknown here: how the two talk (channel.h).
#pragma once
#include <stdint.h>
#include "hooks/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

// How an execution ended.
typedef enum inspect_end {
  INSPECT_END_COMPLETE = 0,  // ran to its end
  INSPECT_END_BUG,
  INSPECT_END_REDUNDANT,  // every enabled thread sleeps
  INSPECT_END_LIMIT,
  INSPECT_END_UNSUPPORTED,  // a call that is not modelled
  INSPECT_END_DIVERGED,     // the prefix could not be followed
  INSPECT_END_SPINNING      // what is left to run is loops that waited in vain, and would not now: another execution shows it
} inspect_end;

typedef enum inspect_bug {
  INSPECT_BUG_NONE,
  INSPECT_BUG_ASSERTION,
  INSPECT_BUG_DEADLOCK,
  INSPECT_BUG_DATA_RACE,
  INSPECT_BUG_CRASH,
  INSPECT_BUG_MEMORY_ERROR,
  INSPECT_BUG_UNCAUGHT_EXCEPTION,
  INSPECT_BUG_API_MISUSE,
  INSPECT_BUG_EXIT_STATUS,
  INSPECT_BUG_LIVELOCK,
  INSPECT_BUG_TEMPORAL,
  INSPECT_BUG_LAST = INSPECT_BUG_TEMPORAL
} inspect_bug;

typedef enum inspect_limit {
  INSPECT_LIMIT_NONE,
  INSPECT_LIMIT_STEPS,
  INSPECT_LIMIT_LOOP,
  INSPECT_LIMIT_HANG,
  INSPECT_LIMIT_MEMORY,
  INSPECT_LIMIT_THREADS,
  INSPECT_LIMIT_LOG
} inspect_limit;

// Why a state has no identity.
typedef enum inspect_no_identity {
  INSPECT_HAS_IDENTITY = 0,
  INSPECT_NO_IDENTITY_END,        // the process, or a thread, is about to end
  INSPECT_NO_IDENTITY_LOOP,       // a thread is blocked in a loop that waits
  INSPECT_NO_IDENTITY_FILES,      // files are open, or signals are used
  INSPECT_NO_IDENTITY_OPERATION,  // a thread is in the middle of an operation that is not described
  INSPECT_NO_IDENTITY_FRAMES,     // a function that is active does not say what is alive in it
  INSPECT_NO_IDENTITY_LENGTH,     // its description, which was asked for, is too long
  INSPECT_NO_IDENTITY_COUNT
} inspect_no_identity;

typedef enum inspect_policy {
  INSPECT_POLICY_RUN = 0,     // keep the running thread while it is enabled, then the lowest thread
  INSPECT_POLICY_RANDOM = 1,  // uniform over enabled transitions
  INSPECT_POLICY_PCT = 2,     // the enabled thread of the highest priority, uniform over its alternatives
  INSPECT_POLICY_STAY = 3     // as RUN, but for ever: the running thread is never preempted
} inspect_policy;

// As the last choice of a prefix: the thread's smallest enabled alternative. If it has none the execution ends there as
// redundant.
enum { INSPECT_ANY_ALTERNATIVE = 0xFFFF };

// Values of inputs, of any type up to 64 bits: first, last and what is between.
__extension__ typedef __int128 inspect_input;
typedef struct inspect_input_range {
  inspect_input first, last;
} inspect_input_range;
enum { INSPECT_MAX_INPUT_RANGES = 128, INSPECT_MAX_ALTERNATIVES = 1 << 16 };  // alternatives are 16-bit numbers

// Identity of a step for replay checks: equal iff thread, alternative, kind, objects, and failure agree.
static inline uint64_t inspect_step_hash(uint64_t h, unsigned thread, unsigned alternative, const inspect_operation* o) {
  h ^= (uint64_t)thread | (uint64_t)alternative << 8 | (uint64_t)o->kind << 24 |
       (uint64_t)(o->flags & INSPECT_FLAG_FAILED) << 32;
  h *= 0x9E3779B97F4A7C15ull;
  h ^= o->object + (o->object2 << 1) + ((uint64_t)o->size << 48);
  h *= 0xD6E8FEB86659FD93ull;
  return h ^ (h >> 32);
}

#ifdef __cplusplus
}
#endif
