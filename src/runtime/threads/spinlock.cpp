// Spinlocks: mutexes of another name, in the four bytes of pthread_spinlock_t. One that its owner locks again blocks for ever.
#include <pthread.h>

#include "runtime/platform/export.hpp"
#include "runtime/threads/initialised.hpp"
#include "runtime/threads/sync.hpp"

namespace inspect::runtime {
namespace {

// Its value: a mark (initialised.hpp) with the owner, thread + 1, in the low byte.
constexpr std::uint32_t kOwner = 0xff;
static_assert(INSPECT_MAX_THREADS < kOwner);

const void* object(const pthread_spinlock_t* l) { return const_cast<const int*>(l); }
std::uint32_t value_of(const pthread_spinlock_t* l) { return std::uint32_t(*l); }
std::uint32_t free_value(const pthread_spinlock_t* l) { return mark_of(object(l)) & ~kOwner; }
bool usable(const pthread_spinlock_t* l) { return (value_of(l) & ~kOwner) == free_value(l); }
bool is_free(const pthread_spinlock_t* l) { return value_of(l) == free_value(l); }
bool is_own(const pthread_spinlock_t* l) { return value_of(l) == free_value(l) + self() + 1; }
std::uint32_t mark(const pthread_spinlock_t* l) { return usable(l) ? mark_of(object(l)) : value_of(l); }

Mask lock_guard(const Thread& t) {
  const auto* const l = reinterpret_cast<const pthread_spinlock_t*>(t.pending.object);
  return is_free(l) || !usable(l) ? Mask::one(0) : blocked(t);
}

void start(inspect_kind kind, const pthread_spinlock_t* l, std::uint32_t site, Guard guard = nullptr) {
  announce(operation(kind, object(l), sizeof *l, site), guard);
  require_initialised(object(l), sizeof *l, mark(l), false, "a spinlock", site);
}
int take(pthread_spinlock_t* l) {
  *l = int(free_value(l) + self() + 1);
  acquire_edge(object(l));
  finish();
  return 0;
}

}  // namespace
}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT int pthread_spin_init(pthread_spinlock_t* l, int) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  initialise_object(const_cast<int*>(l), sizeof *l, INSPECT_FAMILY_Local, site);
  require_new(object(l), mark(l), "a spinlock", site);
  *l = int(free_value(l));
  return 0;
}
INSPECT_EXPORT int pthread_spin_lock(pthread_spinlock_t* l) {
  start(INSPECT_OP_MutexLock, l, INSPECT_CALLER_SITE(), lock_guard);
  return take(l);
}
INSPECT_EXPORT int pthread_spin_trylock(pthread_spinlock_t* l) {
  start(INSPECT_OP_MutexTryLock, l, INSPECT_CALLER_SITE());
  if (is_free(l)) return take(l);
  finish(INSPECT_FLAG_FAILED);
  return EBUSY;
}
INSPECT_EXPORT int pthread_spin_unlock(pthread_spinlock_t* l) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  start(INSPECT_OP_MutexUnlock, l, site);
  if (!is_own(l))
    misuse(is_free(l) ? "unlock of a spinlock that is not locked" : "unlock of a spinlock that another thread holds", site);
  *l = int(free_value(l));
  release_edge(object(l));
  finish();
  return 0;
}
INSPECT_EXPORT int pthread_spin_destroy(pthread_spinlock_t* l) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  start(INSPECT_OP_MutexDestroy, l, site);
  if (!is_free(l)) misuse("a locked spinlock is destroyed", site);
  *l = int(kDestroyed);
  finish();
  return 0;
}
