// C11 threads, mutexes, conditions and once flags: the POSIX objects under other names, with other results.
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "runtime/platform/export.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/uncovered.hpp"
#include "runtime/threads/condition.hpp"
#include "runtime/threads/mutex.hpp"
#include "runtime/threads/once.hpp"
#include "runtime/threads/sync.hpp"
#include "runtime/threads/threads.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

pthread_mutex_t* posix(mtx_t* m) { return reinterpret_cast<pthread_mutex_t*>(m); }
pthread_cond_t* posix(cnd_t* c) { return reinterpret_cast<pthread_cond_t*>(c); }
static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t));

// In __kind: of a mutex that mtx_init was not asked to make mtx_timed.
constexpr int kUntimedBit = 64;

// Zeroes are no initialiser in C11.
pthread_mutex_t* ready(mtx_t* m, std::uint32_t site) {
  if (!mutex_is_marked(posix(m))) misuse("use of a mutex (mtx_t) that was never initialised", site);
  return posix(m);
}
pthread_cond_t* ready(cnd_t* c, std::uint32_t site) {
  if (!condition_is_marked(posix(c))) misuse("use of a condition variable (cnd_t) that was never initialised", site);
  return posix(c);
}

int c11_result(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case EBUSY:
      return thrd_busy;
    case ETIMEDOUT:
      return thrd_timedout;
    case ENOMEM:
      return thrd_nomem;
    default:
      return thrd_error;
  }
}

}  // namespace
}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT int thrd_create(thrd_t* thread, thrd_start_t routine, void* argument) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  if (!active()) report_unsupported("a constructor creates a thread", site);
  about_to_create(__builtin_return_address(0));
  // Its int result is the low half of the register that a pointer is returned in.
  return c11_result(create_thread(thread, {reinterpret_cast<ThreadRoutine>(reinterpret_cast<void*>(routine)), argument}, site));
}
INSPECT_EXPORT int thrd_join(thrd_t thread, int* result) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  if (const int error = join_thread(thread, nullptr, site)) return c11_result(error);
  writes_argument(result, sizeof *result, site);
  if (result) *result = int(reinterpret_cast<std::intptr_t>(thread_of(thread)->result));
  return thrd_success;
}
INSPECT_EXPORT int thrd_detach(thrd_t thread) { return c11_result(detach_thread(thread, INSPECT_CALLER_SITE())); }
INSPECT_EXPORT thrd_t thrd_current(void) { return pthread_self(); }
INSPECT_EXPORT void thrd_exit(int result) {
  unwind_thread(reinterpret_cast<void*>(std::intptr_t(result)), INSPECT_CALLER_SITE());
}

INSPECT_EXPORT int mtx_init(mtx_t* m, int type) {
  const int kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
  return c11_result(initialise_mutex(posix(m), type & mtx_timed ? kind : kind | kUntimedBit, INSPECT_CALLER_SITE()));
}
INSPECT_EXPORT void mtx_destroy(mtx_t* m) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  destroy_mutex(ready(m, site), site);
}
INSPECT_EXPORT int mtx_lock(mtx_t* m) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  return c11_result(lock_mutex(ready(m, site), site));
}
INSPECT_EXPORT int mtx_trylock(mtx_t* m) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  return c11_result(try_lock_mutex(ready(m, site), site));
}
INSPECT_EXPORT int mtx_timedlock(mtx_t* m, const timespec* deadline) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  pthread_mutex_t* const mutex = ready(m, site);
  if (mutex->__data.__kind & kUntimedBit) misuse("timed lock of a mutex (mtx_t) that was not made mtx_timed", site);
  return c11_result(timed_lock_mutex(mutex, CLOCK_REALTIME, deadline, site));
}
INSPECT_EXPORT int mtx_unlock(mtx_t* m) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  return c11_result(unlock_mutex(ready(m, site), site));
}

INSPECT_EXPORT int cnd_init(cnd_t* c) {
  return c11_result(initialise_condition(posix(c), CLOCK_REALTIME, INSPECT_CALLER_SITE()));
}
INSPECT_EXPORT void cnd_destroy(cnd_t* c) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  destroy_condition(ready(c, site), site);
}
INSPECT_EXPORT int cnd_wait(cnd_t* c, mtx_t* m) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  return c11_result(wait_condition(ready(c, site), posix(m), site));
}
INSPECT_EXPORT int cnd_timedwait(cnd_t* c, mtx_t* m, const timespec* deadline) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  return c11_result(timed_wait_condition(ready(c, site), posix(m), CLOCK_REALTIME, deadline, site));
}
INSPECT_EXPORT int cnd_signal(cnd_t* c) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  return c11_result(signal_condition(ready(c, site), site));
}
INSPECT_EXPORT int cnd_broadcast(cnd_t* c) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  return c11_result(broadcast_condition(ready(c, site), site));
}

INSPECT_EXPORT void call_once(once_flag* flag, void (*routine)(void)) {
  run_once(&flag->__data, routine, INSPECT_CALLER_SITE());
}
