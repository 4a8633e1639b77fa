// Spinlocks: mutexes of another name, in the four bytes of pthread_spinlock_t. One that its owner locks again blocks for ever.
#include <pthread.h>

#include "runtime/export.hpp"
#include "runtime/sync.hpp"

namespace inspect::runtime {
namespace {

constexpr int kFree = 0, kDestroyed = -1;  // else: thread + 1

int value_of(const Thread& t) { return *reinterpret_cast<const pthread_spinlock_t*>(t.pending.object); }
Mask lock_guard(const Thread& t) {
  const int value = value_of(t);
  return value == kFree || value == kDestroyed ? Mask::one(0) : blocked(t);
}

const void* object(const pthread_spinlock_t* l) { return const_cast<const int*>(l); }
void check_alive(const pthread_spinlock_t* l, std::uint32_t site) {
  if (*l == kDestroyed) misuse("use of a destroyed spinlock", site);
}
void start(inspect_kind kind, const pthread_spinlock_t* l, std::uint32_t site, Guard guard = nullptr) {
  announce(operation(kind, object(l), sizeof *l, site), guard);
  check_alive(l, site);
}
int take(pthread_spinlock_t* l) {
  *l = int(self()) + 1;
  acquire_edge(object(l));
  finish();
  return 0;
}

}  // namespace
}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT int pthread_spin_init(pthread_spinlock_t* l, int) {
  initialise_object(const_cast<int*>(l), sizeof *l, INSPECT_CALLER_SITE());
  *l = kFree;
  return 0;
}
INSPECT_EXPORT int pthread_spin_lock(pthread_spinlock_t* l) {
  start(INSPECT_OP_MutexLock, l, INSPECT_CALLER_SITE(), lock_guard);
  return take(l);
}
INSPECT_EXPORT int pthread_spin_trylock(pthread_spinlock_t* l) {
  start(INSPECT_OP_MutexTryLock, l, INSPECT_CALLER_SITE());
  if (*l == kFree) return take(l);
  finish(INSPECT_FLAG_FAILED);
  return EBUSY;
}
INSPECT_EXPORT int pthread_spin_unlock(pthread_spinlock_t* l) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  start(INSPECT_OP_MutexUnlock, l, site);
  if (*l != int(self()) + 1)
    misuse(*l == kFree ? "unlock of a spinlock that is not locked" : "unlock of a spinlock that another thread holds", site);
  *l = kFree;
  release_edge(object(l));
  finish();
  return 0;
}
INSPECT_EXPORT int pthread_spin_destroy(pthread_spinlock_t* l) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  start(INSPECT_OP_MutexDestroy, l, site);
  if (*l != kFree) misuse("a locked spinlock is destroyed", site);
  *l = kDestroyed;
  finish();
  return 0;
}
