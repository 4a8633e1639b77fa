// Signals within the process: handlers, masks, and the signals that the program sends to itself.
//
// Guarantees: nothing of it reaches the kernel, so that a reset is a copy in memory. A signal that a thread sends to itself is
// handled there at once; one to another thread interrupts that (interruption.hpp). One for the process goes to any thread that
// does not block it; a blocked one is pending. Sends and changes of masks are steps whose order is explored.
// A wait for a signal that nobody in the program sends is a wait for the outside (SEMANTICS E.3). Faults of the hardware are
// the runtime's, never a handler's of the program. Deliberately not modelled, refused by name: timers, signals with values.
#pragma once
#include <signal.h>

#include <cstdint>

#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Installs a handler in the kernel, past the model. flags: SA_*.
void kernel_sigaction(int number, void (*handler)(int, siginfo_t*, void*), unsigned long flags, bool ignore = false);
// abort() by a program that handles SIGABRT: its handler runs first.
void run_abort_handler(std::uint32_t site);
// sigsetjmp at a place, which keeps the mask or does not; a jump there, about to be made.
void save_mask(const void* place, bool saves);
void restore_mask(const void* place, std::uint32_t site);
// As if the current thread had received the signal from the kernel (SIGPIPE).
void receive_signal(int number, std::uint32_t site);

// Is there one that the current thread does not block? of_thread: sent to it, not to the process.
bool signal_found(bool of_thread);
// A step. Can no other thread take what is found?
bool is_sole_taker(std::uint32_t site);
// A step that takes one of them, then its handler. The flags that this was installed with; -1: another thread came first.
int take_interruption(std::uint32_t site);

// The handlers that run in the current thread because somebody else's signal interrupted it. number: the innermost one's
// signal; 0: there is none. Their frames lie below these stack pointers; repeats: it may interrupt itself.
struct InterruptingHandler {
  std::uintptr_t innermost, outermost;
  int number;
  bool repeats;
};
InterruptingHandler interrupting_handler();
// A signal has come to a thread that waits, and that would handle it.
bool signal_is_due(const Thread& t);

void boot_signals();
void reset_signals();

}  // namespace inspect::runtime
