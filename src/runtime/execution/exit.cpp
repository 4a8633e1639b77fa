// The ways a program asks for its end, and what it wants done then (SEMANTICS E.1).
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/environment/signals.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/threads/exit_handlers.hpp"
#include "runtime/upcalls/ends.hpp"
#include "runtime/upcalls/interruption.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

using namespace inspect::runtime;

namespace {

[[noreturn]] void leave_process(int status) {
  for (;;) system_call(SYS_exit_group, status);
}

// Also of those who come before us: constructors of libraries, and what else there is in .preinit_array.
#define SITE() (map_state(), INSPECT_CALLER_SITE())

}  // namespace

INSPECT_EXPORT void exit(int status) noexcept {
  if (!active()) {
    run_exit_handlers();
    flush_output();
    leave_process(status);
  }
  note_unsafe_call("exit");
  process_exit(status, ExitKind::handlers, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT void _exit(int status) {
  if (!active()) leave_process(status);
  process_exit(status, ExitKind::immediate, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT void _Exit(int status) noexcept {
  if (!active()) leave_process(status);
  process_exit(status, ExitKind::immediate, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT void quick_exit(int status) noexcept {
  if (!active()) leave_process(status);
  process_exit(status, ExitKind::quick_handlers, INSPECT_CALLER_SITE());
}

INSPECT_EXPORT int __cxa_atexit(void (*function)(void*), void* argument, void*) {
  return add_exit_handler({function, argument, nullptr}, SITE());
}
INSPECT_EXPORT int atexit(void (*function)()) noexcept { return add_exit_handler(plain_handler(function), SITE()); }
INSPECT_EXPORT int on_exit(void (*function)(int, void*), void* argument) noexcept {
  return add_exit_handler({nullptr, argument, function}, SITE());
}
INSPECT_EXPORT int inspect_at_quick_exit(void (*function)()) asm(
    "at_quick_exit");  // declared with C++ linkage by the C library
int inspect_at_quick_exit(void (*function)()) { return add_quick_handler(function, SITE()); }
INSPECT_EXPORT int __cxa_at_quick_exit(void (*function)(), void*) { return inspect_at_quick_exit(function); }
INSPECT_EXPORT int __cxa_thread_atexit(void (*function)(void*), void* object, void*) noexcept {
  return add_thread_destructor(function, object);
}
INSPECT_EXPORT int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void*) {
  return add_thread_destructor(function, object);
}
// Of libraries that are unloaded: everything stays to the end of the execution.
INSPECT_EXPORT void __cxa_finalize(void*) {}

INSPECT_EXPORT void abort(void) noexcept {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  if (active()) {
    run_abort_handler(site);
    if (state().channel->configuration.abort_ends) process_exit(kAbortedStatus, ExitKind::aborted, site);
    report_bug(INSPECT_BUG_ASSERTION, "abort() was called", site);
  }
  for (;;) {
    system_call(SYS_kill, system_call(SYS_getpid), 6);
    system_call(SYS_exit_group, 134);
  }
}
INSPECT_EXPORT void __assert_fail(const char* condition, const char*, unsigned, const char*) noexcept {
  if (!active()) abort();
  report_bug(INSPECT_BUG_ASSERTION, format_message("assertion failed: %s", condition), INSPECT_CALLER_SITE());
}
INSPECT_EXPORT void __assert(const char* condition, const char*, int) noexcept {
  if (!active()) abort();
  report_bug(INSPECT_BUG_ASSERTION, format_message("assertion failed: %s", condition), INSPECT_CALLER_SITE());
}
INSPECT_EXPORT void __assert_perror_fail(int error, const char*, unsigned, const char*) noexcept {
  if (!active()) abort();
  report_bug(INSPECT_BUG_ASSERTION, format_message("assert_perror failed: error %d", error), INSPECT_CALLER_SITE());
}
INSPECT_EXPORT void __stack_chk_fail(void) {
  if (!active()) abort();
  report_bug(INSPECT_BUG_MEMORY_ERROR, "the stack was overwritten beyond a local array", INSPECT_CALLER_SITE());
}
INSPECT_EXPORT void __chk_fail(void) {
  if (!active()) abort();
  report_bug(INSPECT_BUG_MEMORY_ERROR, "a library call would write beyond the end of its buffer", INSPECT_CALLER_SITE());
}
INSPECT_EXPORT void __cxa_pure_virtual(void) {
  if (!active()) abort();
  report_bug(INSPECT_BUG_ASSERTION, "a pure virtual function was called", INSPECT_CALLER_SITE());
}
