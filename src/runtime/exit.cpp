// The ways a program asks for its end, and what it wants done then (SEMANTICS E.1).
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/ending.hpp"
#include "runtime/export.hpp"
#include "runtime/schedule.hpp"
#include "runtime/signals.hpp"
#include "runtime/system_call.hpp"

using namespace inspect::runtime;

namespace {

[[noreturn]] void leave_process(int status) {
  for (;;) system_call(SYS_exit_group, status);
}

// The order in which threads add handlers is the order, reversed, in which they run.
void handler_step(std::uint32_t site) {
  if (!active() || state().created == 1) return;
  visible(operation(INSPECT_OP_ExitHandler, reinterpret_cast<void*>(INSPECT_EXIT_HANDLERS_OBJECT), 8, site));
  executed();
}

int add_exit_handler(void (*function)(void*), void* argument, std::uint32_t site) {
  map_state();  // constructors of libraries come before boot
  handler_step(site);
  State& s = state();
  if (s.exit_handler_count == kMaxExitHandlers) report_limit(INSPECT_LIMIT_MEMORY, "more than 1024 exit handlers", 0);
  s.exit_handlers[s.exit_handler_count++] = {function, argument};
  return 0;
}

int add_thread_destructor(void (*function)(void*), void* object) {
  map_state();
  Thread& t = *state().current;
  if (t.destructor_count == kMaxThreadDestructors)
    report_limit(INSPECT_LIMIT_MEMORY, "more than 64 thread_local objects with destructors in one thread", 0);
  t.destructors[t.destructor_count++] = {function, object};
  return 0;
}

}  // namespace

INSPECT_EXPORT void exit(int status) noexcept {
  if (!active()) {
    run_exit_handlers();
    flush_output();
    leave_process(status);
  }
  process_exit(status & 0xff, ExitKind::handlers, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT void _exit(int status) {
  if (!active()) leave_process(status);
  process_exit(status & 0xff, ExitKind::immediate, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT void _Exit(int status) noexcept {
  if (!active()) leave_process(status);
  process_exit(status & 0xff, ExitKind::immediate, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT void quick_exit(int status) noexcept {
  if (!active()) leave_process(status);
  process_exit(status & 0xff, ExitKind::quick_handlers, INSPECT_CALLER_SITE());
}

INSPECT_EXPORT int __cxa_atexit(void (*function)(void*), void* argument, void*) {
  return add_exit_handler(function, argument, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int atexit(void (*function)()) noexcept {
  return add_exit_handler([](void* f) { reinterpret_cast<void (*)()>(f)(); }, reinterpret_cast<void*>(function),
                          INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int on_exit(void (*)(int, void*), void*) noexcept {
  if (!active()) return -1;
  report_unsupported("on_exit: exit handlers that receive the status are not modelled", INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int inspect_at_quick_exit(void (*function)()) asm(
    "at_quick_exit");  // declared with C++ linkage by the C library
int inspect_at_quick_exit(void (*function)()) {
  map_state();
  handler_step(INSPECT_CALLER_SITE());
  State& s = state();
  if (s.quick_handler_count == sizeof s.quick_handlers / sizeof *s.quick_handlers) return ENOMEM;
  s.quick_handlers[s.quick_handler_count++] = function;
  return 0;
}
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
