// What the models of synchronisation objects share.
//
// An object's whole state stands in its own memory (pthread_mutex_t, sem_t, …), so that a reset, a copy and a race check treat
// it as they treat all memory; all zeroes is a valid, unused object. Before main nothing can interleave: the same code runs
// there without scheduling points, as thread 0. Guarantees: after announce() the guard holds, and the object is alive and
// ordered with plain accesses to its bytes (SEMANTICS B.3).
#pragma once
#include <errno.h>
#include <time.h>

#include "runtime/memory/race.hpp"
#include "runtime/upcalls/points.hpp"

namespace inspect::runtime {

inline Thread& self_thread() { return active() ? *state().current : state().threads[0]; }
inline unsigned self() { return self_thread().id; }

// Announces an operation on an object, waits for its turn, and checks that the object is still there. Returns the alternative.
unsigned announce(const Operation& o, Guard guard = nullptr);
// Logs the operation just performed.
inline void finish(std::uint8_t flags = 0, std::uint64_t read = 0, std::uint64_t written = 0) {
  if (active()) executed(flags, read, written);
}
inline void finish_as(const Operation& o) {
  if (active()) executed_as(o);
}
// The initialisation of an object is a plain write of its bytes: unordered with a use, it is a race. family: what it becomes.
void initialise_object(void* object, std::size_t size, inspect_family family, std::uint32_t site);

// Undefined behaviour by POSIX.
[[noreturn]] void misuse(const char* text, std::uint32_t site);

inline Mask enabled_if(bool condition) { return condition ? Mask::one(0) : Mask{}; }
// For guards: what a thread waits for is not there. If the memory of the object died meanwhile, it goes on, to be reported.
Mask blocked(const Thread& t);

// Synchronises-with edges (SEMANTICS C.1). Each object may use several clocks, told apart by a small index.
inline std::uint64_t clock_name(const void* object, unsigned index) { return reinterpret_cast<std::uint64_t>(object) + index; }
inline void acquire_edge(const void* object, unsigned index = 0) {
  if (active()) race_acquire(current_thread(), clock_name(object, index));
}
inline void release_edge(const void* object, unsigned index = 0) {
  if (active()) race_release(current_thread(), clock_name(object, index));
}

// Calls f(thread) for every other thread whose pending operation is on this object.
template <class F>
void for_each_pending_on(const void* object, F&& f) {
  if (!active()) return;
  State& s = state();
  s.execution.alive.for_each([&](unsigned i) {
    const Thread& t = s.threads[i];
    if (&t != s.current && t.pending.object == reinterpret_cast<std::uint64_t>(object)) f(t);
  });
}

// The absolute time at which a timed operation gives up.
struct Deadline {
  bool valid;        // its nanoseconds are
  std::uint64_t at;  // ns of virtual time
};
inline bool supported_clock(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }
Deadline deadline_of(clockid_t clock, const timespec* time);
// Alternatives of an operation that would block: 1 is the time-out. The deadline stands in the thread's wait_value.
inline Mask timed_out_only() { return Mask::one(1); }
// The current thread's time-out was chosen: its clock moves on. Returns the error.
int take_time_out(const Deadline& deadline);

}  // namespace inspect::runtime
