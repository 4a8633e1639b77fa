#include "runtime/threads/threads.hpp"
#include "runtime/memory/module.hpp"
#include "runtime/schedule/loop_state.hpp"
#include "runtime/upcalls/changes.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unwind.h>

#include "runtime/memory/race.hpp"
#include "runtime/memory/stack_objects.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/schedule.hpp"
#include "runtime/schedule/uncovered.hpp"
#include "runtime/threads/exit_handlers.hpp"
#include "runtime/threads/initialised.hpp"
#include "runtime/threads/key_table.hpp"
#include "runtime/threads/mutex.hpp"
#include "runtime/threads/sync.hpp"
#include "runtime/threads/terminate.hpp"
#include "runtime/threads/thread_texts.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/ends.hpp"
#include "runtime/upcalls/interruption.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

// A routine that the C++ library keeps to itself.
bool is_start_of_library(const void* routine) {
  const void*& known = part<const void*>(Part::library_start);
  if (routine == known) return true;
  Dl_info about;
  if (is_instrumented(routine) || !dladdr(routine, &about) || !about.dli_fname) return false;
  if (!strstr(about.dli_fname, "/libstdc++.so.") || about.dli_saddr == routine) return false;
  known = routine;
  return true;
}

// For std::thread: the third function in the table of the argument's class, which the library's routine calls.
const void* started_code(const Thread& t) {
  const auto* const routine = reinterpret_cast<const void*>(t.routine);
  if (!t.argument || !is_start_of_library(routine)) return routine;
  return (*static_cast<const void* const* const*>(t.argument))[2];
}

void fiber_main() {
  Thread& t = *state().current;
  start_step();  // the scheduler chose this thread's ThreadStart
  executed();
  // The code of a library has no hooks: until the thread calls a function that has some, and again at the end.
  const bool unreported_write = state().request.states && t.id && !is_instrumented(reinterpret_cast<const void*>(t.routine));
  if (unreported_write) note_unseen_changes();
  if (t.id && !is_seen_code(started_code(t))) enter_uncovered("uninstrumented function started as a thread", "", nullptr);
  void* const result = t.routine(t.argument);
  if (unreported_write) note_unseen_changes();
  end_thread(result);
}

Mask ended_guard(const Thread& t) {
  return state().threads[t.wait.value].status == ThreadStatus::ended ? Mask::one(0) : Mask{};
}

Thread& prepare_thread(unsigned number, ThreadRoutine routine, void* argument, const Stack& stack) {
  State& s = state();
  Thread& t = s.threads[number];
  const FiberStack kept = t.stack;
  memset(&t, 0, offsetof(Thread, destructors));
  memset(t.keys, 0, keys().now.count * sizeof *t.keys);
  t.stack.low = kept.low;
  t.stack.mapped = kept.mapped;
  t.stack.bytes = stack.size;
  t.stack.of_program = stack.address;
  if (stack.address) s.own_stacks = true;
  t.id = std::uint8_t(number);
  begin_loop_watch(t);
  t.status = ThreadStatus::alive;
  t.routine = routine;
  t.argument = argument;
  t.alternatives = Mask::one(0);
  t.pending = thread_operation(INSPECT_OP_ThreadStart, number);
  t.choices = 1;
  s.execution.alive.add(number);
  s.execution.enabled.add(number);
  if (++s.execution.created == 2) threads_are_several();
  if (number >= s.execution.thread_limit) s.execution.thread_limit = number + 1;
  if (!prepare_fiber(t, fiber_main)) report_limit(INSPECT_LIMIT_THREADS, "the system gives no more threads", 0);
  return t;
}

// The frames that had no cleanup were left without a word.
[[noreturn]] void end_unwound() {
  const Thread& t = *state().current;
  if (t.id) leave_stack_below(stack_top(t.id), t.pending.site);
  end_thread(t.result);
}

// Every frame runs its cleanups; at the end of the stack the thread is over.
_Unwind_Reason_Code stop_at_end(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                                _Unwind_Context* context, void*) {
  const bool end = actions & _UA_END_OF_STACK;
  jump_to_cleanup(end ? ~std::uintptr_t{0} : std::uintptr_t(_Unwind_GetCFA(context)));
  if (end) end_unwound();
  return _URC_NO_REASON;
}

// A handler has ended without passing it on: the C library ends the process.
void on_swallowed_unwinding(_Unwind_Reason_Code, _Unwind_Exception*) {
  report_bug(INSPECT_BUG_UNCAUGHT_EXCEPTION,
             format_message("catch (...) swallowed the unwinding of %s (\"FATAL: exception not rethrown\")",
                            state().current->cancel.acted_on ? "a cancelled thread" : "pthread_exit"),
             thrower_site());
}

}  // namespace

int thread_number(unsigned parent, unsigned index) {
  inspect_channel* const c = state().channel;
  for (unsigned i = 1; i < c->thread_count; ++i)
    if (c->threads[i].parent == parent && c->threads[i].index == index) return int(i);
  if (c->thread_count == 0) c->thread_count = 1;  // main
  if (c->thread_count == INSPECT_MAX_THREADS) return -1;
  inspect_thread_name& name = c->threads[c->thread_count];
  name.parent = std::uint8_t(parent);
  name.index = std::uint16_t(index);
  name.used = 1;
  return int(c->thread_count++);
}

Thread* thread_of(pthread_t handle) {
  State& s = state();
  if (handle < kStackBase || (handle - kStackBase) % kStackSlot) return nullptr;
  const std::size_t number = (handle - kStackBase) / kStackSlot;
  if (number >= s.execution.thread_limit || s.threads[number].status == ThreadStatus::unused) return nullptr;
  return &s.threads[number];
}

// What constructors left in thread-local variables and keys is main's.
Thread& make_main_thread(ThreadRoutine routine) {
  const State& s = state();
  void* const thread_locals = s.threads[0].thread_locals;
  Thread& t = prepare_thread(0, routine, nullptr, {});
  t.thread_locals = thread_locals;
  restore_main_destructors(t);
  memcpy(t.keys, keys().before_main, keys().at_boot.count * sizeof *t.keys);
  return t;
}

int create_thread(pthread_t* handle, const NewThread& wanted, std::uint32_t site) {
  State& s = state();
  Thread& parent = *s.current;
  const int number = thread_number(parent.id, parent.children);
  if (number < 0) report_limit(INSPECT_LIMIT_THREADS, "more than 128 different threads", site);
  ++parent.children;
  // The handle is there before the thread is: it may read it itself (C11 and C++ promise that much, POSIX does not: a late
  // store is one more, which nothing orders before the thread), no other without order.
  writes_argument(handle, sizeof *handle, site);
  visible(thread_operation(INSPECT_OP_ThreadCreate, unsigned(number), site));
  Thread& t = prepare_thread(unsigned(number), wanted.routine, wanted.argument, wanted.stack);
  t.detached = wanted.detached;
  t.clock = parent.clock;
  t.scheduling = parent.scheduling;
  signals_thread_created(parent.id, t.id);
  s.recording = true;
  race_thread_created(parent.id, t.id);
  if (wanted.stores_late &&
      !race_object_access(parent.id, reinterpret_cast<std::uintptr_t>(handle), sizeof *handle, true, site))
    report_race();
  *handle = handle_of(t);
  tell_access(reinterpret_cast<std::uintptr_t>(handle), sizeof *handle, true, site);
  if (s.log_level == kLogAccesses)
    executed(0, reinterpret_cast<std::uint64_t>(wanted.argument), reinterpret_cast<std::uint64_t>(wanted.routine));
  else
    executed();
  append_record(INSPECT_RECORD_NEW_PENDING, t.id, t.pending);
  return 0;
}

namespace {

void check_joinable(const Thread& t, std::uint32_t site) {
  if (t.joined) misuse("pthread_join of a thread that was joined already", site);
  if (t.detached) misuse("pthread_join of a detached thread", site);
}

Thread& living_thread(pthread_t handle, const char* call, std::uint32_t site) {
  Thread* const t = thread_of(handle);
  if (!t) misuse(format_message("%s of a handle that is no thread", call), site);
  if (t->joined) misuse(format_message("%s of a thread that was joined: its id may be another one's", call), site);
  if (t->detached && t->status == ThreadStatus::ended)
    misuse(format_message("%s of a detached thread that has ended: its id may be another one's", call), site);
  return *t;
}

// Who only uses the id does not care for a thread's end, unless the id ends with it.
constexpr std::uint32_t kLife = 8, kIdentity = 8;

}  // namespace

Thread& used_thread(pthread_t handle, const char* call, std::uint32_t site, bool as_step) {
  State& s = state();
  if (!active()) return s.threads[0];
  Thread& t = living_thread(handle, call, site);
  if (&t == s.current || !as_step) return t;
  visible(operation(INSPECT_OP_AtomicLoad, reinterpret_cast<void*>(inspect_thread_object(t.id) + kLife), kIdentity, site));
  living_thread(handle, call, site);
  executed();
  return t;
}

int join_thread(pthread_t handle, void** result, std::uint32_t site, JoinMode mode, const Deadline* deadline) {
  State& s = state();
  Thread* const t = thread_of(handle);
  if (!t) misuse("pthread_join of a handle that is no thread", site);
  if (t == s.current) return EDEADLK;
  check_joinable(*t, site);
  // The C library looks for a request only where it would wait, POSIX demands it anywhere.
  if (mode != JoinMode::attempt) possible_cancellation_point(site);
  s.current->wait.value = t->id;
  if (mode == JoinMode::wait)
    visible(thread_operation(INSPECT_OP_ThreadJoin, t->id, site), ended_guard);
  else
    visible(thread_operation(INSPECT_OP_ThreadTryJoin, t->id, site));
  check_joinable(*t, site);  // another thread may have done it meanwhile
  if (t->status != ThreadStatus::ended) {
    const int error = mode == JoinMode::timed ? take_time_out(*deadline) : EBUSY;
    executed(INSPECT_FLAG_FAILED);
    return error;
  }
  t->joined = true;
  if (t->clock > s.current->clock) s.current->clock = t->clock;
  race_thread_joined(s.current->id, t->id);
  executed();
  writes_argument(result, sizeof *result, site);
  if (result) *result = t->result;
  return 0;
}

int detach_thread(pthread_t handle, std::uint32_t site) {
  Thread* const t = thread_of(handle);
  const auto check = [&] {
    if (!t || t->joined || t->detached) misuse("pthread_detach of a thread that cannot be detached", site);
  };
  check();
  visible(thread_operation(INSPECT_OP_ThreadDetach, t->id, site));
  check();  // another thread may have done it meanwhile
  t->detached = true;
  executed();
  return 0;
}

void run_thread_destructors(Thread& t) {
  if (t.destructor_count) note_unseen_changes();
  while (t.destructor_count) {
    const Destructor d = t.destructors[--t.destructor_count];
    about_to_call(d.function, "the end of a thread, as the destructor of a thread_local object");
    d.function(d.argument);
  }
}

void unwind_thread(void* result, std::uint32_t site) {
  Thread& t = *state().current;
  t.cancel.site = site;
  t.result = result;
  t.cancel.unwinding = true;
  auto* const unwind = reinterpret_cast<_Unwind_Exception*>(t.cancel.exception);
  memset(t.cancel.exception, 0, sizeof t.cancel.exception);
  unwind->exception_cleanup = on_swallowed_unwinding;
  _Unwind_ForcedUnwind(unwind, stop_at_end, nullptr);
  end_unwound();
}

void end_thread(void* result) {
  State& s = state();
  Thread& t = *s.current;
  t.result = result;
  t.ending = true;
  run_thread_destructors(t);
  for (int round = 0; round < 4; ++round)
    for (unsigned k = 0; k < keys().now.count; ++k)
      if (t.keys[k] && key_has_destructor(k)) {
        void* const value = t.keys[k];
        if (!value) continue;  // the number is another key's by now
        t.keys[k] = nullptr;
        note_unseen_changes();
        about_to_call(keys().now.destructors[k], "the end of a thread, as the destructor of a key");
        keys().now.destructors[k](value);
      }
  abandon_robust_mutexes();
  end_thread_texts(t);
  Operation end = thread_operation(INSPECT_OP_ThreadExit, t.id);
  if (!t.detached) end.size = kLife;
  visible(end);
  end_thread_locals();
  if (s.execution.alive.count() == 1 && !s.execution.ending.begun) {  // the last thread ends the process with status 0
    executed();
    if (has_new_exit_handlers() && s.execution.created > 1)
      assume_text("which thread ends last, and runs the exit handlers, is explored as far as the program's operations tell");
    run_exit_handlers();
    flush_output();
    complete(0);
  }
  t.status = ThreadStatus::ended;
  s.execution.alive.remove(t.id);
  s.execution.enabled.remove(t.id);
  race_thread_ended(t.id);
  if (t.detached)  // meanwhile, perhaps
    executed_as(thread_operation(INSPECT_OP_ThreadExit, t.id));
  else
    executed();
  leave_thread();
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*),
                                  void* argument) {
  if (!active()) report_unsupported("a constructor creates a thread", 0);
  const std::uint32_t site = INSPECT_CALLER_SITE();
  about_to_create(__builtin_return_address(0));
  int detach_state = PTHREAD_CREATE_JOINABLE;
  reads_argument(attributes, sizeof *attributes, site);
  require_attributes(attributes, "pthread_create", site);
  if (attributes) pthread_attr_getdetachstate(attributes, &detach_state);
  const bool detached = detach_state == PTHREAD_CREATE_DETACHED;
  return create_thread(handle, {routine, argument, detached, stack_of_attributes(attributes, site), called_by_program()}, site);
}
INSPECT_EXPORT int pthread_join(pthread_t handle, void** result) { return join_thread(handle, result, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int pthread_tryjoin_np(pthread_t handle, void** result) {
  return join_thread(handle, result, INSPECT_CALLER_SITE(), JoinMode::attempt);
}
INSPECT_EXPORT int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock, const timespec* time) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  if (!supported_clock(clock)) return EINVAL;
  reads_argument(time, sizeof *time, site);
  if (!time) return join_thread(handle, result, site);
  const Deadline deadline = deadline_of(clock, time);
  return join_thread(handle, result, site, JoinMode::timed, &deadline);
}
INSPECT_EXPORT int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* time) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  reads_argument(time, sizeof *time, site);
  if (!time) return join_thread(handle, result, site);
  const Deadline deadline = deadline_of(CLOCK_REALTIME, time);
  return join_thread(handle, result, site, JoinMode::timed, &deadline);
}
INSPECT_EXPORT int pthread_detach(pthread_t handle) { return detach_thread(handle, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT pthread_t pthread_self(void) { return active() ? handle_of(*state().current) : kStackBase; }
INSPECT_EXPORT void pthread_exit(void* result) { unwind_thread(result, INSPECT_CALLER_SITE()); }
