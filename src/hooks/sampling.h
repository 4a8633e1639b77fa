// How a sampled execution is drawn: every random choice is a pure function of the seed of that execution.
//
// Guarantees: the same seed gives the same choices in the runtime and in the model program, whatever ran before. Priorities are
// those of S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of
// Finding Bugs", ASPLOS 2010: a thread that was lowered at the i-th priority change point has priority i, below that of every
// thread that was not. Deliberately unknown here: threads, schedules, who chooses the seed.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum inspect_draw_stream {
  INSPECT_DRAW_EXECUTION,
  INSPECT_DRAW_STEP,
  INSPECT_DRAW_ALTERNATIVE,
  INSPECT_DRAW_PRIORITY,
  INSPECT_DRAW_CHANGE
};

static inline uint64_t inspect_scramble(uint64_t z) {  // the output function of SplitMix64
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

// The index-th number of a stream.
static inline uint64_t inspect_draw(uint64_t seed, enum inspect_draw_stream stream, uint64_t index) {
  const uint64_t start = inspect_scramble(seed + 0x9E3779B97F4A7C15ull * (uint64_t)(stream + 1));
  return inspect_scramble(start + 0x9E3779B97F4A7C15ull * (index + 1));
}

// A thread's priority at its start. The enabled thread of the highest priority runs.
static inline int64_t inspect_initial_priority(uint64_t seed, unsigned thread) {
  return (int64_t)(inspect_draw(seed, INSPECT_DRAW_PRIORITY, thread) >> 2 | 1ull << 62);
}
static inline int64_t inspect_lowered_priority(unsigned change_point) { return (int64_t)change_point + 1; }
// Of a thread that only waits for others to change something: below everybody, the last to yield lowest.
static inline int64_t inspect_yielded_priority(uint64_t step) { return -(int64_t)step - 1; }

#ifdef __cplusplus
}
#endif
