// Signals within the process: handlers, masks, and the signals that the program sends to itself.
//
// Guarantees: nothing of it reaches the kernel, so that a reset is a copy in memory; handlers run synchronously in the sender.
// A signal to a thread that blocks it is pending for that thread; sends and changes of masks are steps whose order is explored.
// A wait for a signal that nobody in the program sends is a wait for the outside (SEMANTICS E.3). Faults of the hardware are
// the runtime's, never a handler's of the program. Deliberately not modelled, refused by name: signals that interrupt another
// thread, timers.
#pragma once
#include <signal.h>

#include <cstdint>

namespace inspect::runtime {

// Installs a handler in the kernel, past the model. flags: SA_*.
void kernel_sigaction(int number, void (*handler)(int, siginfo_t*, void*), unsigned long flags, bool ignore = false);
// A new thread starts with its creator's mask.
void signals_thread_created(std::uint8_t parent, std::uint8_t child);
// abort() by a program that handles SIGABRT: its handler runs first.
void run_abort_handler(std::uint32_t site);
// As if the current thread had received the signal from the kernel (SIGPIPE).
void receive_signal(int number, std::uint32_t site);
void boot_signals();
void reset_signals();

}  // namespace inspect::runtime
