// The runtime's state: one structure in its own mapping at a fixed address.
//
// Ground rules of everything in this folder: this code lives in someone else's process.
//  - No statics: the writable segments of the executable are restored after every execution, ours would be too.
//  - No STL containers, no exceptions, no RTTI, no malloc; nothing of libc that keeps state.
//  - All threads of the program are fibers of one operating-system thread; only visible() switches between them.
//  - Everything that may differ between two executions of one schedule is a bug of ours.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hooks/address_map.hpp"
#include "hooks/channel.h"
#include "hooks/dependence.h"
#include "hooks/operation.h"
#include "hooks/site.h"

namespace inspect::runtime {

// Set of up to 128 alternatives or threads.
struct Mask {
  std::uint64_t words[2] = {0, 0};
  static constexpr Mask one(unsigned i) { return i < 64 ? Mask{{1ull << i, 0}} : Mask{{0, 1ull << (i - 64)}}; }
  [[nodiscard]] constexpr bool has(unsigned i) const { return words[i >> 6] >> (i & 63) & 1; }
  constexpr void add(unsigned i) { words[i >> 6] |= 1ull << (i & 63); }
  constexpr void remove(unsigned i) { words[i >> 6] &= ~(1ull << (i & 63)); }
  [[nodiscard]] constexpr bool empty() const { return !(words[0] | words[1]); }
  [[nodiscard]] constexpr unsigned first() const {
    return words[0] ? unsigned(__builtin_ctzll(words[0])) : 64 + unsigned(__builtin_ctzll(words[1]));
  }
  [[nodiscard]] constexpr int count() const { return __builtin_popcountll(words[0]) + __builtin_popcountll(words[1]); }
  friend constexpr bool operator==(const Mask& a, const Mask& b) {
    return a.words[0] == b.words[0] && a.words[1] == b.words[1];
  }
  // Calls f(i) for each member in increasing order.
  template <class F>
  void for_each(F&& f) const {
    for (unsigned w = 0; w < 2; ++w)
      for (std::uint64_t m = words[w]; m; m &= m - 1) f(64 * w + unsigned(__builtin_ctzll(m)));
  }
};

using Operation = inspect_operation;
struct Thread;
// Which alternatives of a pending operation are enabled in the present state; empty: the thread is disabled.
using Guard = Mask (*)(const Thread&);

enum class ThreadStatus : std::uint8_t { unused, alive, ended };
// How a thread that waits in a condition variable or futex was released.
enum class Wakeup : std::uint8_t { none, signalled, timed_out, spurious };

struct Destructor {
  void (*function)(void*);
  void* argument;
};

inline constexpr unsigned kMaxKeys = 256, kMaxThreadDestructors = 64, kTlsImageBytes = 1024;

// A write about to be made, and what was there.
struct WatchedWrite {
  std::uintptr_t address;
  std::uint32_t size, site;
  bool unknown;  // what was there: more than fits
  unsigned char before[16];
};

// How the kernel would choose among threads, and where one may run. Here the search chooses; it is only kept to be asked for.
struct Scheduling {
  std::int32_t policy, priority;
  std::uint64_t processors;  // a bit each; 0: all
};

// Texts of glibc's that it keeps for each thread, made where they are asked for.
enum class ThreadText : unsigned { message, signal, address, count };

// Requests to cancel a thread, and its end before its routine returns.
struct Cancellation {
  bool disabled, asynchronous;
  bool requested;
  bool looked;                     // its latest operation found that there was no such request
  bool acted_on;                   // it unwinds for that
  bool unwinding;                  // by pthread_exit or because it was cancelled: requests mean nothing any more
  std::uint32_t site;              // of pthread_exit
  void* cleanup_buffers;           // of pthread_cleanup_push in C, innermost first
  alignas(16) char exception[64];  // its own, while it unwinds
};

// What the guard of the pending operation looks at.
struct Waiting {
  std::uint64_t value;        // free for that guard
  std::uint32_t futex_bits;   // of a wait or wake on a futex: which of the other kind it has to do with
  std::uint32_t futex_value;  // of a wait: the value expected; of a wake: how many to wake
  Wakeup wakeup;
  bool may_time_out;  // its time-out is another alternative: it is no part of a deadlock
};

// Of signals that interrupt it.
struct Interruptible {
  bool waited;          // since it looked for signals: the kernel hands over those that are there
  bool taken;           // just before its next operation
  bool never_restarts;  // a call that a handler interrupts fails, whatever the handler's flags are
};

struct FiberStack {
  char* low;           // lowest address ever found used (for zeroing); survives executions
  std::size_t mapped;  // bytes of its slot; survives executions
  std::size_t bytes;   // asked for
  char* of_program;    // of the program's own (pthread_attr_setstack), of that many bytes, or null
  void* pointer;
  void* frame;  // innermost one while the thread is not running, null before it starts
};

struct Thread {
  std::uint8_t id;
  ThreadStatus status;
  bool joined, detached;
  bool ending;                    // its routine has returned
  bool unreported_write;          // the present call may change memory without a word: memory_hash.hpp
  std::uint8_t atomic_depth;      // nesting of inspect_atomic_begin
  std::uint8_t lock_all_depth;    // inside std::lock
  std::uint8_t loop_visit_count;  // of LoopWatch
  std::uint16_t children;         // threads it created so far: names its next child
  std::uint16_t chosen;           // alternative chosen for the pending operation
  std::uint16_t destructor_count;
  std::uint32_t turn;     // of an OS thread: os_threads.hpp
  std::uint32_t choices;  // of a Choice operation
  Operation pending;
  Guard guard;                // null: always enabled, alternative 0
  Mask alternatives;          // enabled alternatives, as last computed
  std::int64_t priority;      // of policy PCT; 0: not lowered yet
  std::uint64_t clock;        // virtual time, ns since start: SEMANTICS B.6
  WatchedWrite latest_write;  // plain, to memory of others; size 0: its effect is known
  Waiting wait;
  Cancellation cancel;
  Interruptible signals;
  FiberStack stack;
  void* frames;         // innermost frame record, while it is not running
  std::uint32_t stops;  // operations announced in the present call
  void* (*routine)(void*);
  void* argument;
  void* result;
  const void* caller;         // where the present call of a model returns to
  void* thread_locals;        // block of the program's thread_local variables, null until first use
  void* robust_mutexes;       // that it holds, linked through themselves
  const void* locale;         // that it was given (uselocale)
  std::uint64_t stream_call;  // 1 + steps begun when it last took a stream's lock for a call
  char name[16];
  Scheduling scheduling;
  char* texts[unsigned(ThreadText::count)];
  // What follows is not cleared when the thread begins.
  Destructor destructors[kMaxThreadDestructors];
  void* keys[kMaxKeys];            // those of keys that exist
  char tls_image[kTlsImageBytes];  // static TLS of libc and libstdc++ while it is not running
};

enum LogLevel : std::uint8_t {
  kLogSteps,
  kLogWrites,    // no records, but writes are noted: memory_hash.hpp
  kLogAccesses,  // plain ones, of a place and address once between two steps
  kLogAll        // verbose: accesses, allocations, stacks
};
// Which plain accesses are scheduling points.
enum class Points : std::uint8_t { none, shared, races };  // shared: visible=all; races: those with a known race

// The variables that a library call's arguments point into.
struct ArgumentBounds {
  static constexpr unsigned kMost = 6;
  struct Variable {
    std::uintptr_t argument, begin;
    std::size_t size;
    const void* site;  // names it
  } variables[kMost];
  unsigned count;
};

// The end of the process (SEMANTICS E.1).
struct Ending {
  bool begun, finishing;
  bool aborted;  // that end is abort()
  std::uint8_t thread;
  int status;
  std::uint32_t site;  // of exit(); 0: main returned
};

// One request of the explorer's: which schedule, and what is to be told of it.
struct Request {
  const inspect_request* message;
  const inspect_choice* prefix;
  std::uint64_t prefix_length, known_length, max_steps;
  std::uint64_t checkpoint_at;  // position from which on a copy of the process may be made (execution/checkpoint.hpp)
  unsigned slot;                // its index in its batch
  std::uint32_t point_limit;    // shared.cpp, known_races.cpp
  bool states;                  // the identity of each state is logged
  bool symmetric_pairs;         // and which threads are symmetric in it
  bool starts_first;            // threads start before anything else happens
  bool waits;                   // loads that wait for a value are enabled where they find it
};

// Where records go.
struct Log {
  inspect_record* cursor;  // the next one
  inspect_record* limit;
  inspect_record* step;  // of the step being performed, null when it is not logged
  bool active;           // the present step is logged
};

// What begins anew with each execution.
struct Execution {
  std::uint64_t position;      // steps executed so far
  std::uint64_t opened;        // steps begun so far
  std::uint64_t hash;          // of the steps executed so far
  std::uint32_t races_passed;  // known_races.cpp
  unsigned runner;             // the last thread that did more than start
  unsigned run_length;         // consecutive steps of the current thread

  Mask alive;    // threads created and not ended
  Mask guarded;  // whose pending operation has a guard
  Mask enabled;
  Mask assumed_away;  // blocked for ever by a failed assumption
  Mask spinning;      // blocked because a turn of a loop changed nothing
  Mask to_probe;      // of those: must show whether they would go on now
  bool probing;
  bool signals_touched;
  bool time_used;         // a clock was advanced or read
  unsigned created;       // threads that exist in this execution, ended ones included
  unsigned thread_limit;  // 1 + largest number in use in this execution

  Mask safe;  // in the present state: Identity
  // Joins of main's in a row that are under way: of each where it began, and whom it has joined since
  // (states/thread_order.hpp).
  static constexpr unsigned kMostRows = 32;
  struct Row {
    std::uint64_t low, high;
    Mask joined;
  } rows[kMostRows];
  unsigned row_count;

  std::uint64_t cycle_state[3];  // in which the cycle of an infinite run began (states/cycle.hpp)
  std::uint64_t propositions;    // of the conditions of the configuration: those that the program set and that hold
  std::uint64_t compared;        // what the variables held that conditions compare: a hash, as of conditions_touched()
  bool proposition_set;          // since then

  std::uint32_t touching;        // site on whose behalf the runtime itself touches program memory; 0: it does not
  const ArgumentBounds* bounds;  // of the library call that touches memory now; null: none are known
  ArgumentBounds given_bounds;   // of the one that follows
  Ending ending;
};

// What the program calls, as its names say.
struct Uses {
  bool sends_signals, handles_signals;  // together, threads are interrupted
  bool may_cancel;                      // pthread_cancel
  bool may_cancel_anywhere;             // and pthread_setcanceltype
};

// Static thread-local variables of the libraries (errno): swapped at a switch, not shared.
struct LibraryLocalsRange {
  std::uintptr_t begin;
  std::size_t size;
};

struct State {
  // What hooks look at first.
  bool running;  // program code runs: hooks act
  Points points;
  std::uint8_t log_level;  // what is logged beside steps
  bool in_section : 1;     // an atomic section is open, or its thread ended within it
  bool own_stacks : 1;     // a thread of this execution runs on a stack of the program's own
  bool recording;          // races and liveness are checked (false while only main has ever existed)
  bool standalone;         // no explorer: one execution, real output
  bool booted;
  bool os_threads;           // a debugger watches: os_threads.hpp, in place of fibers
  bool descriptors_touched;  // and are to be as they were at boot again
  Uses uses;
  Thread* current;
  inspect_channel* channel;
  Log log;
  Request request;
  Execution execution;
  std::uint64_t executions;            // that this process has run
  std::uint64_t propositions_at_boot;  // that code before main has set
  LibraryLocalsRange library_locals;
  void* host_stack_pointer;
  Thread threads[INSPECT_MAX_THREADS];
};

// Is the running thread's code such that a hook of a plain access has nothing to do but the checks of liveness and races?
// One comparison of the first four bytes.
inline bool only_checks() {
  std::uint32_t flags;
  __builtin_memcpy(&flags, reinterpret_cast<const void*>(kStateBase), sizeof flags);
  static_assert(offsetof(State, running) == 0 && offsetof(State, recording) == 4 && sizeof(bool) == 1);
  return flags == 1;
}

inline State& state() { return *reinterpret_cast<State*>(kStateBase); }
inline std::uint8_t current_thread() { return state().current->id; }

// Maps State; idempotent; called before anything else, from .preinit_array or the first intercepted call.
void map_state();
// Without it nothing can be said but on standard error: says why, and ends the process.
[[noreturn]] void fail_to_start(const char* message);

}  // namespace inspect::runtime
