#include "runtime/threads/mutex.hpp"
#include "runtime/upcalls/changes.hpp"

#include <limits.h>
#include <string.h>

#include "runtime/platform/export.hpp"
#include "runtime/platform/mutation.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/threads/initialised.hpp"
#include "runtime/threads/sync.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/spin.hpp"
#include "runtime/upcalls/sync_threads.hpp"

namespace inspect::runtime {
namespace {

// Use of glibc's fields: __lock: held; __owner: thread + 1; __count: depth; __nusers: threads in condition waits with it;
// __kind: as static initialisers and attributes set it, c11.cpp too; __spins: RobustState; __list.__next: the owner's next
// robust mutex, __prev: the mark of initialisation, which a static initialiser leaves to the first lock.
constexpr int kTypeBits = 3, kRobustBit = 16, kStaticKinds = kTypeBits | 0x300 /* elision */;
enum RobustState : short { kConsistent, kOwnerDied, kNotRecoverable };

bool held(const pthread_mutex_t* m) { return m->__data.__lock; }
std::uint32_t mark(const pthread_mutex_t* m) {
  return std::uint32_t(reinterpret_cast<std::uintptr_t>(m->__data.__list.__prev));
}
void set_mark(pthread_mutex_t* m, std::uint32_t mark) {
  m->__data.__list.__prev = reinterpret_cast<__pthread_internal_list*>(std::uintptr_t(mark));
}
// Neither what an initialiser leaves nor what came of that: an operation goes on, to be reported.
bool unusable(const pthread_mutex_t* m) { return mark(m) != mark_of(m) && (mark(m) || held(m)); }
int type_of(const pthread_mutex_t* m) { return m->__data.__kind & kTypeBits; }
bool robust(const pthread_mutex_t* m) { return m->__data.__kind & kRobustBit; }

const pthread_mutex_t* object_of(const Thread& t) { return reinterpret_cast<const pthread_mutex_t*>(t.pending.object); }

Mask lock_guard(const Thread& t) { return mutex_lock_returns(object_of(t), t.id) ? Mask::one(0) : blocked(t); }
Mask timed_lock_guard(const Thread& t) {
  if (mutated(Mutation::timed_lock_never_gives_up)) return lock_guard(t);
  return Mask::one(mutex_lock_returns(object_of(t), t.id) ? 0 : 1);
}

void link_robust(pthread_mutex_t* m) {
  Thread& t = self_thread();
  m->__data.__list.__next = static_cast<__pthread_internal_list*>(t.robust_mutexes);
  t.robust_mutexes = m;
}
void unlink_robust(pthread_mutex_t* m) {
  void** at = &self_thread().robust_mutexes;
  while (*at && *at != m) at = reinterpret_cast<void**>(&static_cast<pthread_mutex_t*>(*at)->__data.__list.__next);
  if (*at) *at = m->__data.__list.__next;
}

void take(pthread_mutex_t* m) {
  m->__data.__lock = 1;
  m->__data.__owner = int(self()) + 1;
  m->__data.__count = 1;
  set_mark(m, mark_of(m));
  if (robust(m)) link_robust(m);
  acquire_edge(m);
}
void drop(pthread_mutex_t* m) {
  if (robust(m)) unlink_robust(m);
  m->__data.__lock = 0;
  m->__data.__owner = 0;
  m->__data.__count = 0;
  release_edge(m);
}

// The owner locks again. It changes nothing for others: a read.
int lock_again(pthread_mutex_t* m, int error) {
  finish(INSPECT_FLAG_FAILED);
  if (type_of(m) != PTHREAD_MUTEX_RECURSIVE) return error;
  if (m->__data.__count == UINT_MAX) return EAGAIN;
  ++m->__data.__count;
  note_nested_lock(self_thread(), m, 1);
  return 0;
}

// The lock is given back for the last time after its owner had died, or the state of what it protects is called consistent: the
// next owner finds it otherwise, however often it was taken and given back.
void change_state(pthread_mutex_t* m, RobustState to) {
  m->__data.__spins = to;
  note_change(m, sizeof *m);
  disturb(self_thread());
}

int take_free(pthread_mutex_t* m) {
  if (m->__data.__spins == kNotRecoverable) {
    finish(INSPECT_FLAG_FAILED);
    return ENOTRECOVERABLE;
  }
  take(m);
  finish();
  return m->__data.__spins == kOwnerDied ? EOWNERDEAD : 0;
}

void check_usable(const pthread_mutex_t* m, std::uint32_t site) {
  const bool zeroes_are_initial = !held(m) && !(m->__data.__kind & ~kStaticKinds);
  require_initialised(m, sizeof *m, mark(m), zeroes_are_initial, "a mutex", site);
}

// `settled`: by what the thread itself holds. It is known before it is done, and the others neither change it nor notice it.
Operation mutex_operation(inspect_kind kind, const pthread_mutex_t* m, std::uint32_t site, bool settled = false) {
  Operation o = operation(kind, m, sizeof *m, site);
  if (settled) o.flags |= INSPECT_FLAG_FAILED;
  return o;
}
bool lock_is_settled(const pthread_mutex_t* m) { return mutex_owned_by(m, self()) && mutex_lock_returns(m, self()); }

}  // namespace

bool mutex_is_marked(const pthread_mutex_t* m) { return mark(m) != 0; }
bool mutex_owned_by(const pthread_mutex_t* m, unsigned thread) { return held(m) && m->__data.__owner == int(thread) + 1; }
bool mutex_is_given_back(const pthread_mutex_t* m, unsigned thread) {
  return mutex_owned_by(m, thread) && m->__data.__count == 1;
}
bool mutex_demands_owner(const pthread_mutex_t* m) {
  return robust(m) || type_of(m) == PTHREAD_MUTEX_RECURSIVE || type_of(m) == PTHREAD_MUTEX_ERRORCHECK;
}
bool mutex_lock_returns(const pthread_mutex_t* m, unsigned thread) {
  if (!held(m) || unusable(m)) return true;
  return mutex_owned_by(m, thread) && (type_of(m) == PTHREAD_MUTEX_RECURSIVE || type_of(m) == PTHREAD_MUTEX_ERRORCHECK);
}

int initialise_mutex(pthread_mutex_t* m, int kind, std::uint32_t site) {
  for_each_pending_on(m, [&](const Thread& t) {
    if (t.guard && t.guard(t).empty()) misuse("a mutex is initialised while another thread waits for it", site);
  });
  initialise_object(m, sizeof *m, INSPECT_FAMILY_Mutex, site);
  require_new(m, mark(m), "a mutex", site);
  memset(m, 0, sizeof *m);
  m->__data.__kind = kind;
  set_mark(m, mark_of(m));
  return 0;
}

int destroy_mutex(pthread_mutex_t* m, std::uint32_t site) {
  announce(mutex_operation(INSPECT_OP_MutexDestroy, m, site));
  if (mark(m) == kDestroyed) misuse("a mutex is destroyed twice", site);
  check_usable(m, site);
  if (held(m)) misuse("a locked mutex is destroyed", site);
  if (m->__data.__nusers) misuse("a mutex is destroyed that a wait on a condition variable will lock again", site);
  set_mark(m, kDestroyed);
  finish();
  return 0;
}

int lock_mutex(pthread_mutex_t* m, std::uint32_t site) {
  announce(mutex_operation(INSPECT_OP_MutexLock, m, site, lock_is_settled(m)), lock_guard);
  check_usable(m, site);
  return held(m) ? lock_again(m, EDEADLK) : take_free(m);
}

int try_lock_mutex(pthread_mutex_t* m, std::uint32_t site) {
  announce(mutex_operation(INSPECT_OP_MutexTryLock, m, site, mutex_owned_by(m, self())));
  check_usable(m, site);
  if (!held(m)) return take_free(m);
  if (mutex_owned_by(m, self())) return lock_again(m, EBUSY);
  if (mutated(Mutation::failed_trylock_touches_nothing)) {
    finish_as(operation(INSPECT_OP_MutexTryLock, m, 0, site));
    return EBUSY;
  }
  finish(INSPECT_FLAG_FAILED);
  return EBUSY;
}

int timed_lock_mutex(pthread_mutex_t* m, clockid_t clock, const timespec* time, std::uint32_t site) {
  if (!supported_clock(clock)) return EINVAL;
  reads_argument(time, sizeof *time, site);
  if (announce(mutex_operation(INSPECT_OP_MutexTimedLock, m, site, lock_is_settled(m)), timed_lock_guard) == 0) {
    check_usable(m, site);
    return held(m) ? lock_again(m, EDEADLK) : take_free(m);
  }
  const int error = take_time_out(deadline_of(clock, time));
  finish(INSPECT_FLAG_FAILED);
  return error;
}

int unlock_mutex(pthread_mutex_t* m, std::uint32_t site) {
  announce(mutex_operation(INSPECT_OP_MutexUnlock, m, site, !mutex_is_given_back(m, self())));
  check_usable(m, site);
  if (!mutex_owned_by(m, self())) {
    if (!mutex_demands_owner(m))
      misuse(held(m) ? "unlock of a mutex that another thread holds" : "unlock of a mutex that is not locked", site);
    finish(INSPECT_FLAG_FAILED);
    return EPERM;
  }
  if (--m->__data.__count) {  // the owner still holds it
    finish(INSPECT_FLAG_FAILED);
    note_nested_lock(self_thread(), m, -1);
    return 0;
  }
  if (m->__data.__spins == kOwnerDied) change_state(m, kNotRecoverable);
  drop(m);
  finish();
  return 0;
}

void release_mutex_for_wait(pthread_mutex_t* m) {
  ++m->__data.__nusers;
  if (--m->__data.__count) return;  // glibc releases one level only; what follows is the program's deadlock
  if (m->__data.__spins == kOwnerDied) change_state(m, kNotRecoverable);
  drop(m);
}

int take_mutex_after_wait(pthread_mutex_t* m, std::uint32_t site) {
  check_usable(m, site);
  --m->__data.__nusers;
  if (mutex_owned_by(m, self())) {
    ++m->__data.__count;
    return 0;
  }
  if (m->__data.__spins == kNotRecoverable) return ENOTRECOVERABLE;
  take(m);
  return m->__data.__spins == kOwnerDied ? EOWNERDEAD : 0;
}

void abandon_robust_mutexes() {
  while (void* const first = self_thread().robust_mutexes) {
    auto* const m = static_cast<pthread_mutex_t*>(first);
    announce(mutex_operation(INSPECT_OP_MutexUnlock, m, 0));
    m->__data.__spins = kOwnerDied;
    drop(m);
    finish();
  }
}

const SyncObjectKind kMutexes = {
    .bytes = sizeof(pthread_mutex_t),
    .mark = offsetof(pthread_mutex_t, __data.__list.__prev),
    .holds_threads = true,
    .tells_apart =
        [](std::uint64_t object, unsigned a, unsigned b) {
          const auto* m = reinterpret_cast<const pthread_mutex_t*>(object);
          return mutex_owned_by(m, a) || mutex_owned_by(m, b);
        },
    .with_names =
        [](std::uint64_t, std::uint64_t offset, std::uint64_t word, const ThreadNames& names) {
          return offset == offsetof(pthread_mutex_t, __data.__owner) ? owner_with_name(word, names) : word;
        },
};

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT int pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* attributes) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  int type = PTHREAD_MUTEX_DEFAULT, robustness = PTHREAD_MUTEX_STALLED;
  if (attributes) {
    reads_argument(attributes, sizeof *attributes, site);
    require_attributes(attributes, "pthread_mutex_init", site);
    pthread_mutexattr_gettype(attributes, &type);
    pthread_mutexattr_getrobust(attributes, &robustness);
  }
  return initialise_mutex(m, type | (robustness == PTHREAD_MUTEX_ROBUST ? kRobustBit : 0), site);
}
INSPECT_EXPORT int pthread_mutex_destroy(pthread_mutex_t* m) { return destroy_mutex(m, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int pthread_mutex_lock(pthread_mutex_t* m) { return lock_mutex(m, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int pthread_mutex_trylock(pthread_mutex_t* m) { return try_lock_mutex(m, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int pthread_mutex_unlock(pthread_mutex_t* m) { return unlock_mutex(m, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* deadline) {
  return timed_lock_mutex(m, CLOCK_REALTIME, deadline, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock, const timespec* deadline) {
  return timed_lock_mutex(m, clock, deadline, INSPECT_CALLER_SITE());
}

// Only the owner asks, and only its unlock reads the answer.
INSPECT_EXPORT int pthread_mutex_consistent(pthread_mutex_t* m) {
  if (!robust(m) || !mutex_owned_by(m, self()) || m->__data.__spins != kOwnerDied) return EINVAL;
  change_state(m, kConsistent);
  return 0;
}

INSPECT_EXPORT int pthread_mutex_getprioceiling(const pthread_mutex_t*, int*) {
  report_unsupported("pthread_mutex_getprioceiling", INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int pthread_mutex_setprioceiling(pthread_mutex_t*, int, int*) {
  report_unsupported("pthread_mutex_setprioceiling", INSPECT_CALLER_SITE());
}
