// Fibers: the program's threads as stacks within one operating-system thread (for a debugger, within several: os_threads.hpp).
//
// Guarantees: stacks at fixed addresses by thread number; callee-saved registers, mxcsr, the x87 control word and the static
// TLS of libc and libstdc++ (errno, locale, exception globals) are kept across a switch. Paper and prototype: DESIGN §4.
#pragma once
#include "runtime/platform/context_switch.hpp"
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Makes `t` start at entry() on a clean stack when first switched to.
[[nodiscard]] bool prepare_fiber(Thread& t, void (*entry)());
// Leaves the current fiber for `to`; returns when something switches back.
void switch_fiber(Thread& from, Thread& to);
void enter_fiber_from_host(Thread& to);
[[noreturn]] void leave_to_host();
void zero_used_stacks();
std::uintptr_t stack_top(unsigned thread);
std::uintptr_t stack_bottom(unsigned thread);
// Finds the TLS blocks of the loaded libraries; saves them as the image every new thread starts with. At boot, after warm-up.
// False if they are larger than what a thread keeps.
bool capture_tls_images();
// The thread-local data of libraries as thread t has it: block i, null behind the last.
struct LibraryLocals {
  const char* address;
  std::size_t size;
};
LibraryLocals library_locals(const Thread& t, unsigned i);
void restore_initial_tls();

}  // namespace inspect::runtime
