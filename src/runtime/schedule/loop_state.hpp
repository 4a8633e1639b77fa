// What is known of the loops that wait (spin.hpp).
#pragma once
#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Reads in a row that found what the same thread had found there before, although the loop carries something else each time.
struct SpinWatch {
  static constexpr unsigned kObjects = 8;
  std::uint64_t objects[kObjects], values[kObjects];
  std::uint32_t count, next;
  std::uint32_t waits;  // as count, but writes to objects that it knows do not begin it anew
  bool fresh;           // since the last head of a loop: an object that it had not met lately, or another value
};

// An atomic object that the thread has changed: the sum of what its operations added.
struct AtomicChange {
  Operation by;  // the first of them
  std::uint64_t sum;
  bool mixed;  // others of them depend on more than the first
};

// A lock that the thread has acquired or released: acquisitions less releases.
struct LockBalance {
  Operation by;  // the first of them
  std::int32_t balance;
};

// The head of a loop as a thread passed it, and what the thread has done to others since (spin.hpp).
struct LoopVisit {
  std::uint64_t entry;       // which entry into the loop
  std::uintptr_t live_from;  // what is below of the thread's stack is of no frame there
  std::uint16_t words;       // in `carried`
  std::uint8_t write_count, lock_count, atomic_count;
  bool observed;       // the turn counts: another thread has seen it, or a block that was there before has been freed
  std::int32_t error;  // errno
  LockBalance locks[4];
  WatchedWrite writes[8];  // of plain memory
  AtomicChange atomics[4];
  std::uintptr_t small_break, large_break;  // blocks from there on in the thread's part of the heap have been allocated since
  std::int32_t blocks;                      // allocated since, and not freed
  std::uint32_t block_site;                 // of the latest of them
  std::uint64_t carried[48];
};
inline constexpr unsigned kLoopVisits = 6;

// Turns of one loop that carried the same from head to head, but changed something for others.
struct LoopTurns {
  std::uint64_t entry, carried;  // which entry; a hash of what was handed over
  std::uint64_t position;        // at the latest head
  std::uint32_t count;
};
inline constexpr unsigned kLoopTurns = 4;
// The latest change that kept a turn from being in vain. Null: of what the loop carries, or by a call.
struct LoopChange {
  const char* what;
  std::uint32_t site;
};

// Of one thread. How many visits there are is its loop_visit_count.
struct LoopWatch {
  SpinWatch spin;
  LoopTurns turns[kLoopTurns];
  LoopChange change;
  std::uint32_t writes;  // since the latest head of a loop
  std::uint32_t site;    // where it is blocked in a loop
  std::uint64_t probe_touched,
      probe_tried;                // objects that it changed for a moment in a probe; whose state decided where it went
  LoopVisit visits[kLoopVisits];  // not cleared when the thread begins
};
struct LoopWatches {
  LoopWatch of[INSPECT_MAX_THREADS];
};
inline LoopWatch& loop_watch(const Thread& t) { return part<LoopWatches>(Part::loop_watches).of[t.id]; }
inline void begin_loop_watch(const Thread& t) { __builtin_memset(&loop_watch(t), 0, offsetof(LoopWatch, visits)); }

// In one execution.
struct LoopState {
  bool turn_changed_atomic;                      // some turn of a loop has changed an atomic object
  bool turn_released_lock;                       // some turn of a loop gave away a lock that it held when it began
  std::uint64_t writes;                          // visible operations so far that changed something
  unsigned carried_words, carried_object_count;  // handed over for the coming head of a loop
};
struct Loops : LoopState {
  std::uint32_t armed_visits;  // heads of loops that the current thread passes until its turns are only counted again
  std::uint64_t carried[48];
  struct {
    std::uintptr_t begin, end;
  } carried_objects[16];  // stack objects whose bytes are among `carried`
};
inline Loops& loops() { return part<Loops>(Part::loops); }
inline void begin_loops() { static_cast<LoopState&>(loops()) = {}; }

}  // namespace inspect::runtime
