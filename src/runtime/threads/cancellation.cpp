// Three forms of pthread_cleanup_push exist: C++ uses a destructor and C with -fexceptions a cleanup attribute, which unwinding
// runs by itself; plain C registers a jump buffer in its frame, here chained in Thread::cleanup_buffers.
#include "runtime/upcalls/cancel.hpp"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>

#include <string.h>

#include "hooks/meaning.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/outside.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/threads/sync.hpp"
#include "runtime/threads/threads.hpp"
#include "runtime/upcalls/environment_ready.hpp"
#include "runtime/upcalls/interruption.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/stream_questions.hpp"

namespace inspect::runtime {
namespace {

using Buffer = __pthread_unwind_buf_t;

Buffer*& innermost() { return reinterpret_cast<Buffer*&>(self_thread().cancel.cleanup_buffers); }
Buffer* outer_of(const Buffer* b) { return static_cast<Buffer*>(b->__pad[0]); }

constexpr std::uint32_t kRequestBytes = 8;
Operation request_operation(inspect_kind kind, unsigned thread, std::uint32_t site) {
  return operation(kind, reinterpret_cast<void*>(inspect_cancel_object(thread)), kRequestBytes, site);
}

bool may_be_cancelled(const Thread& t) { return !t.cancel.disabled && !t.cancel.unwinding && !t.atomic_depth; }

// Is it a wait that a request ends? One for a lock is not.
bool waits_at_point(const Thread& t) {
  const Operation& o = t.pending;
  if (o.kind == INSPECT_OP_None || holds(Claim::uncancelled, o.kind)) return false;
  if (o.kind == INSPECT_OP_CondWake) return o.size2 && t.wait.wakeup == Wakeup::none;
  return !(o.kind == INSPECT_OP_FileRead || o.kind == INSPECT_OP_FileOperation) || !waits_for_stream(t);
}

[[noreturn]] void refuse_within(const char* call, std::uint32_t site) {
  report_unsupported(format_message("asynchronous cancellation inside a call: %s", call), site);
}

}  // namespace

void jump_to_cleanup(std::uintptr_t frame) {
  Buffer* const b = innermost();
  if (!b || reinterpret_cast<std::uintptr_t>(b) >= frame) return;
  longjmp(reinterpret_cast<__jmp_buf_tag*>(b->__cancel_jmp_buf), 1);
}

bool cancellation_requested(std::uint32_t site) {
  ensure_environment();
  const State& s = state();
  if (!active() || !s.uses.may_cancel || !may_be_cancelled(*s.current)) return false;
  Thread& t = *s.current;
  visible(request_operation(INSPECT_OP_AtomicLoad, t.id, site));
  executed(0, t.cancel.requested);
  t.cancel.looked = true;
  return t.cancel.requested;
}

void act_on_cancellation(std::uint32_t site) {
  Thread& t = *state().current;
  if (t.ending) report_unsupported("a thread is cancelled in a destructor at its end", site);
  t.cancel.acted_on = true;
  unwind_thread(PTHREAD_CANCELED, site);
}

std::uint32_t cancellation_point(std::uint32_t site) {
  if (cancellation_requested(site)) act_on_cancellation(site);
  return site;
}

std::uint32_t possible_cancellation_point(std::uint32_t site) {
  if (!cancellation_requested(site)) return site;
  if (visible(operation(INSPECT_OP_Choice, nullptr, 0, site), nullptr, 2) == 0) {
    executed();
    act_on_cancellation(site);
  }
  executed();
  state().current->cancel.looked = true;
  return site;
}

void cancel_before(const Operation& o) {
  const Thread& t = *state().current;
  if (!may_be_cancelled(t) || t.cancel.looked || t.ending || o.kind == INSPECT_OP_ThreadExit) return;
  if (o.object == inspect_cancel_object(t.id) || !cancellation_requested(o.site)) return;
  if (!holds(Claim::own_code, o.kind)) refuse_within(inspect_kind_text(o.kind), o.site);
  act_on_cancellation(o.site);
}

void cancel_within(const char* call, std::uint32_t site) {
  if (cancellation_requested(site)) refuse_within(call, site);
  state().current->cancel.looked = false;  // what the call does next looks again: the request may come within it
}

bool is_cancelled_anywhere(const Thread& t) { return t.cancel.asynchronous && t.cancel.requested && may_be_cancelled(t); }

bool cancellation_is_due(const Thread& t) { return t.cancel.looked && t.cancel.requested && waits_at_point(t); }

void find_use_of_cancellation(const char* name) {
  State& s = state();
  s.uses.may_cancel |= !strcmp(name, "pthread_cancel");
  s.uses.may_cancel_anywhere |= !strcmp(name, "pthread_setcanceltype");
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT void __pthread_register_cancel(Buffer* b) {
  b->__pad[0] = innermost();
  innermost() = b;
}
INSPECT_EXPORT void __pthread_unregister_cancel(Buffer* b) { innermost() = outer_of(b); }
INSPECT_EXPORT void __pthread_register_cancel_defer(Buffer* b) {
  b->__pad[0] = innermost();
  innermost() = b;
}
INSPECT_EXPORT void __pthread_unregister_cancel_restore(Buffer* b) { innermost() = outer_of(b); }
// The handler of this buffer has run: on to the next.
INSPECT_EXPORT void __pthread_unwind_next(Buffer* b) {
  innermost() = outer_of(b);
  unwind_thread(self_thread().result, self_thread().cancel.site);
}

// With asynchronous cancellation, a request that is there is acted on as soon as it may be.
namespace {
void act_at_once(std::uint32_t site) {
  if (!active() || !self_thread().cancel.asynchronous) return;
  cancellation_point(site);
  self_thread().cancel.looked = false;  // the next call looks for itself
}
}  // namespace

INSPECT_EXPORT int pthread_setcancelstate(int wanted, int* old) {
  if (wanted != PTHREAD_CANCEL_ENABLE && wanted != PTHREAD_CANCEL_DISABLE) return EINVAL;
  const std::uint32_t site = INSPECT_CALLER_SITE();
  Thread& t = self_thread();
  writes_argument(old, sizeof *old, site);
  if (old) *old = t.cancel.disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  t.cancel.disabled = wanted == PTHREAD_CANCEL_DISABLE;
  act_at_once(site);
  return 0;
}
INSPECT_EXPORT int pthread_setcanceltype(int wanted, int* old) {
  if (wanted != PTHREAD_CANCEL_DEFERRED && wanted != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  const std::uint32_t site = INSPECT_CALLER_SITE();
  Thread& t = self_thread();
  if (active() && wanted == PTHREAD_CANCEL_ASYNCHRONOUS && state().uses.may_cancel && !state().uses.may_cancel_anywhere)
    report_unsupported("pthread_setcanceltype called through a pointer", site);
  writes_argument(old, sizeof *old, site);
  if (old) *old = t.cancel.asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  t.cancel.asynchronous = wanted == PTHREAD_CANCEL_ASYNCHRONOUS;
  act_at_once(site);
  return 0;
}
INSPECT_EXPORT void pthread_testcancel(void) {
  cancellation_point(INSPECT_CALLER_SITE());
  self_thread().cancel.looked = false;
}
INSPECT_EXPORT int pthread_cancel(pthread_t handle) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  if (!active()) report_unsupported("pthread_cancel before main", site);
  if (!state().uses.may_cancel) report_unsupported("pthread_cancel called through a pointer, or by a library", site);
  note_unsafe_call("pthread_cancel");
  Thread& t = used_thread(handle, "pthread_cancel", site);
  visible(request_operation(INSPECT_OP_AtomicStore, t.id, site));
  t.cancel.requested = true;
  executed(0, 0, 1);
  if (&t == state().current) act_at_once(site);
  return 0;
}
