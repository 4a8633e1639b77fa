// Cancellation and its cleanup handlers. Handlers work, for pthread_exit; the cancelling of a thread is not modelled.
//
// Three forms of pthread_cleanup_push exist: C++ uses a destructor and C with -fexceptions a cleanup attribute, which unwinding
// runs by itself; plain C registers a jump buffer in its frame, here chained in Thread::cleanup_buffers.
#include "runtime/cancel.hpp"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>

#include "runtime/access.hpp"
#include "runtime/export.hpp"
#include "runtime/sync.hpp"
#include "runtime/threads.hpp"

namespace inspect::runtime {
namespace {

using Buffer = __pthread_unwind_buf_t;

Buffer*& innermost() { return reinterpret_cast<Buffer*&>(self_thread().cleanup_buffers); }
Buffer* outer_of(const Buffer* b) { return static_cast<Buffer*>(b->__pad[0]); }

}  // namespace

void jump_to_cleanup(std::uintptr_t frame) {
  Buffer* const b = innermost();
  if (!b || reinterpret_cast<std::uintptr_t>(b) >= frame) return;
  longjmp(reinterpret_cast<__jmp_buf_tag*>(b->__cancel_jmp_buf), 1);
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
  unwind_thread(self_thread().result, self_thread().unwind_site);
}

INSPECT_EXPORT int pthread_setcancelstate(int wanted, int* old) {
  if (wanted != PTHREAD_CANCEL_ENABLE && wanted != PTHREAD_CANCEL_DISABLE) return EINVAL;
  Thread& t = self_thread();
  writes_argument(old, sizeof *old, INSPECT_CALLER_SITE());
  if (old) *old = t.cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  t.cancel_disabled = wanted == PTHREAD_CANCEL_DISABLE;
  return 0;
}
INSPECT_EXPORT int pthread_setcanceltype(int wanted, int* old) {
  if (wanted != PTHREAD_CANCEL_DEFERRED && wanted != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  Thread& t = self_thread();
  writes_argument(old, sizeof *old, INSPECT_CALLER_SITE());
  if (old) *old = t.cancel_asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  t.cancel_asynchronous = wanted == PTHREAD_CANCEL_ASYNCHRONOUS;
  return 0;
}
INSPECT_EXPORT void pthread_testcancel(void) {}  // nobody can have been cancelled
INSPECT_EXPORT int pthread_cancel(pthread_t handle) {
  used_thread(handle, "pthread_cancel", INSPECT_CALLER_SITE());
  report_unsupported("pthread_cancel", INSPECT_CALLER_SITE());
}
