// What is kept of signals: actions, masks, what is pending, handlers that run (signals.hpp).
#pragma once
#include <signal.h>
#include <string.h>

#include <cstdint>

#include "runtime/platform/outside.hpp"
#include "runtime/upcalls/environment_ready.hpp"
#include "runtime/upcalls/interruption.hpp"
#include "runtime/upcalls/points.hpp"

namespace inspect::runtime {

constexpr int kSignalCount = 65, kMaxNesting = 8;
constexpr std::uint32_t kSignalsBytes = 64, kDeliveryBytes = 8, kThreadsBytes = 64 * INSPECT_MAX_THREADS;
constexpr std::uint32_t kDeliveriesBytes = 64 * INSPECT_MAX_THREADS;

// A handler that runs. One that was left by a jump is found out by the stack pointer having risen above its entry.
struct Nesting {
  std::uintptr_t stack_pointer;
  std::uint64_t mask;
  int number;
  bool interrupts;  // the thread, at a place that is not its choice
  bool repeats;     // it may interrupt itself
};
constexpr unsigned kSavedMasks = 16;
struct SavedMask {
  const void* place;  // of sigsetjmp
  std::uint64_t mask;
};
struct ThreadSignals {
  std::uint64_t mask;
  std::uint64_t pending;  // for this thread alone
  stack_t alternate;
  unsigned depth;
  Nesting nesting[kMaxNesting];
};
struct Signals {
  struct sigaction actions[kSignalCount];
  std::uint64_t pending;  // for the process
  ThreadSignals threads[INSPECT_MAX_THREADS];
  SavedMask saved[kSavedMasks];
};
struct SignalState {
  bool touched;
  Signals now, at_boot;
};

inline SignalState& signal_state() { return *reinterpret_cast<SignalState*>(kSignals); }
inline Signals& signals() {
  ensure_environment();
  SignalState& s = signal_state();
  s.touched = state().execution.signals_touched = true;
  return s.now;
}

constexpr std::uint64_t bit(int number) { return 1ull << (number - 1); }
inline std::uint64_t bits(const sigset_t& set) { return set.__val[0]; }
inline void store(sigset_t* to, std::uint64_t mask) {
  memset(to, 0, sizeof *to);
  to->__val[0] = mask;
}
inline bool valid(int number) { return number > 0 && number < kSignalCount; }
constexpr std::uint64_t kNeverBlocked = bit(SIGKILL) | bit(SIGSTOP);

inline unsigned self() { return state().booted && state().current ? current_thread() : 0; }

// The mask stays: siglongjmp restores it.
inline void leave_below(ThreadSignals& t, std::uintptr_t pointer) {
  for (; t.depth && pointer > t.nesting[t.depth - 1].stack_pointer; --t.depth)
    if (t.nesting[t.depth - 1].interrupts) note_unsafe_handler("leaves it by a jump, an exception or pthread_exit");
}

inline ThreadSignals& own() {
  ThreadSignals& t = signals().threads[self()];
  leave_below(t, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  return t;
}

// A step on the signals of the process and on what else matters to it.
inline Operation signal_operation(std::uint64_t object2, std::uint32_t size2, std::uint32_t site) {
  Operation o = operation(INSPECT_OP_SignalSend, reinterpret_cast<void*>(INSPECT_SIGNALS_OBJECT), kSignalsBytes, site);
  o.object2 = object2;
  o.size2 = size2;
  return o;
}

// A step on masks: senders look at them. It orders nothing else.
void mask_step(std::uint32_t site);
// Handles what waited for the mask to change.
void deliver_pending(std::uint32_t site);

}  // namespace inspect::runtime
