// Read-write locks, in the memory of pthread_rwlock_t.
//
// Guarantees (SEMANTICS D): glibc's default lets readers in while no writer holds the lock; with
// PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP a writer's arrival is a transition of its own, and keeps new readers out until
// it is gone.
#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "runtime/platform/export.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/threads/initialised.hpp"
#include "runtime/threads/sync.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/sync_threads.hpp"

namespace inspect::runtime {
namespace {

constexpr unsigned kMaxDepth = 3;  // read locks of one thread

struct RwLock {
  Mask depth[2];          // how often each thread holds a read lock: a binary number over the two sets
  std::uint32_t writer;   // thread + 1
  std::uint32_t waiting;  // writers that have arrived and not yet got it; only under writer preference
  std::uint32_t mark;     // initialised.hpp; 0 until the first use of a static one
  std::uint32_t unused;
  std::uint32_t kind;  // where static initialisers put it
  std::uint32_t unused2;

  [[nodiscard]] unsigned depth_of(unsigned thread) const {
    return unsigned(depth[0].has(thread)) + 2 * unsigned(depth[1].has(thread));
  }
  void set_depth(unsigned thread, unsigned n) {
    for (unsigned bit = 0; bit < 2; ++bit)
      if (n >> bit & 1)
        depth[bit].add(thread);
      else
        depth[bit].remove(thread);
  }
  [[nodiscard]] bool unusable() const { return mark && mark != mark_of(this); }  // an attempt goes on, to be reported
  [[nodiscard]] bool read_held() const { return !depth[0].empty() || !depth[1].empty(); }
  [[nodiscard]] bool prefers_writers() const { return kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; }
  [[nodiscard]] bool open_to_readers() const { return !writer && !(prefers_writers() && waiting); }
  [[nodiscard]] bool open_to_writer() const { return !writer && !read_held(); }
  // An attempt by this thread need not wait: it succeeds, or fails at once.
  [[nodiscard]] bool read_returns(unsigned thread) const { return unusable() || open_to_readers() || writer == thread + 1; }
  [[nodiscard]] bool write_returns(unsigned thread) const { return unusable() || open_to_writer() || writer == thread + 1; }
};
static_assert(sizeof(RwLock) == sizeof(pthread_rwlock_t) &&
              offsetof(RwLock, kind) == offsetof(pthread_rwlock_t, __data.__flags));

enum class Mode { wait, attempt, timed };

RwLock& lock_of(pthread_rwlock_t* l) { return *reinterpret_cast<RwLock*>(l); }
const RwLock& lock_of(const Thread& t) { return *reinterpret_cast<const RwLock*>(t.pending.object); }
// What the writer itself asks for once more is settled: it is known before it is done, and the others do not notice it.
Operation lock_operation(inspect_kind kind, const pthread_rwlock_t* l, std::uint32_t site) {
  Operation o = operation(kind, l, sizeof *l, site);
  const bool acquires = kind != INSPECT_OP_ReadUnlock && kind != INSPECT_OP_WriteUnlock && kind != INSPECT_OP_RwLockDestroy &&
                        kind != INSPECT_OP_WriteArrive && kind != INSPECT_OP_WriteLeave;
  if (acquires && reinterpret_cast<const RwLock*>(l)->writer == self() + 1) o.flags |= INSPECT_FLAG_FAILED;
  return o;
}

Mask read_guard(const Thread& t) { return lock_of(t).read_returns(t.id) ? Mask::one(0) : blocked(t); }
Mask write_guard(const Thread& t) { return lock_of(t).write_returns(t.id) ? Mask::one(0) : blocked(t); }
Mask timed_read_guard(const Thread& t) { return Mask::one(lock_of(t).read_returns(t.id) ? 0 : 1); }
Mask timed_write_guard(const Thread& t) { return Mask::one(lock_of(t).write_returns(t.id) ? 0 : 1); }

void check_usable(const RwLock& x, std::uint32_t site) {
  const bool zeroes_are_initial = x.kind <= PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
  require_initialised(&x, sizeof x, x.mark, zeroes_are_initial, "a read-write lock", site);
}

int fail(int error) {
  finish(INSPECT_FLAG_FAILED);
  return error;
}

// Readers are ordered with writers both ways, not with each other.
void take_read(RwLock& x, std::uint32_t site) {
  const unsigned depth = x.depth_of(self());
  if (depth == kMaxDepth) report_unsupported("a thread holds one read lock more than three times", site);
  x.set_depth(self(), depth + 1);
  x.mark = mark_of(&x);
  if (active()) race_acquire_shared(current_thread(), clock_name(&x, 0));
}
void take_write(RwLock& x) {
  x.writer = self() + 1;
  x.mark = mark_of(&x);
  acquire_edge(&x);
}

int read_lock(pthread_rwlock_t* l, Mode mode, const Deadline* deadline, std::uint32_t site) {
  RwLock& x = lock_of(l);
  unsigned alternative = 0;
  switch (mode) {
    case Mode::wait:
      announce(lock_operation(INSPECT_OP_ReadLock, l, site), read_guard);
      break;
    case Mode::attempt:
      announce(lock_operation(INSPECT_OP_ReadTryLock, l, site));
      break;
    case Mode::timed:
      alternative = announce(lock_operation(INSPECT_OP_ReadTimedLock, l, site), timed_read_guard);
      break;
  }
  check_usable(x, site);
  if (alternative) return fail(take_time_out(*deadline));
  if (mode == Mode::attempt && !x.open_to_readers()) return fail(EBUSY);
  if (x.writer == self() + 1) return fail(EDEADLK);
  take_read(x, site);
  finish();
  return 0;
}

void arrive(pthread_rwlock_t* l, std::uint32_t site) {
  announce(lock_operation(INSPECT_OP_WriteArrive, l, site));
  check_usable(lock_of(l), site);
  ++lock_of(l).waiting;
  finish();
}

// After a time-out: readers may come in again. A transition of its own, since a time-out that wrote would look like an
// acquisition.
void leave(pthread_rwlock_t* l, std::uint32_t site) {
  announce(lock_operation(INSPECT_OP_WriteLeave, l, site));
  check_usable(lock_of(l), site);
  --lock_of(l).waiting;
  finish();
}

int write_lock(pthread_rwlock_t* l, Mode mode, const Deadline* deadline, std::uint32_t site) {
  RwLock& x = lock_of(l);
  const bool arrives = mode != Mode::attempt && x.prefers_writers();
  if (arrives) arrive(l, site);
  unsigned alternative = 0;
  switch (mode) {
    case Mode::wait:
      announce(lock_operation(INSPECT_OP_WriteLock, l, site), write_guard);
      break;
    case Mode::attempt:
      announce(lock_operation(INSPECT_OP_WriteTryLock, l, site));
      break;
    case Mode::timed:
      alternative = announce(lock_operation(INSPECT_OP_WriteTimedLock, l, site), timed_write_guard);
      break;
  }
  check_usable(x, site);
  int error = 0;
  if (alternative)
    error = take_time_out(*deadline);
  else if (mode == Mode::attempt && !x.open_to_writer())
    error = EBUSY;
  else if (x.writer == self() + 1)
    error = EDEADLK;
  if (error) {
    finish(INSPECT_FLAG_FAILED);
    if (arrives) leave(l, site);
    return error;
  }
  if (arrives) --x.waiting;
  take_write(x);
  finish();
  return 0;
}

int timed_lock(pthread_rwlock_t* l, int (*lock)(pthread_rwlock_t*, Mode, const Deadline*, std::uint32_t), clockid_t clock,
               const timespec* time, std::uint32_t site) {
  reads_argument(time, sizeof *time, site);
  const Deadline deadline = deadline_of(clock, time);
  if (!supported_clock(clock) || !deadline.valid) return EINVAL;
  return lock(l, Mode::timed, &deadline, site);
}

int unlock(pthread_rwlock_t* l, std::uint32_t site) {
  RwLock& x = lock_of(l);
  const unsigned depth = x.depth_of(self());  // only this thread changes it
  announce(lock_operation(depth ? INSPECT_OP_ReadUnlock : INSPECT_OP_WriteUnlock, l, site));
  check_usable(x, site);
  if (depth) {
    x.set_depth(self(), depth - 1);
    if (active()) race_release_shared(current_thread(), clock_name(&x, 0));
  } else {
    if (x.writer != self() + 1) misuse("unlock of a read-write lock that the thread does not hold", site);
    x.writer = 0;
    release_edge(&x);
  }
  finish();
  return 0;
}

int initialise(pthread_rwlock_t* l, int kind, std::uint32_t site) {
  for_each_pending_on(l, [&](const Thread& t) {
    if (t.guard && t.guard(t).empty()) misuse("a read-write lock is initialised while another thread waits for it", site);
  });
  initialise_object(l, sizeof *l, INSPECT_FAMILY_RwLock, site);
  require_new(l, lock_of(l).mark, "a read-write lock", site);
  memset(l, 0, sizeof *l);
  lock_of(l).mark = mark_of(l);
  lock_of(l).kind = std::uint32_t(kind);
  return 0;
}

int destroy(pthread_rwlock_t* l, std::uint32_t site) {
  announce(lock_operation(INSPECT_OP_RwLockDestroy, l, site));
  RwLock& x = lock_of(l);
  if (x.mark == kDestroyed) misuse("a read-write lock is destroyed twice", site);
  check_usable(x, site);
  if (x.writer || x.read_held()) misuse("a locked read-write lock is destroyed", site);
  x.mark = kDestroyed;
  finish();
  return 0;
}

}  // namespace

const SyncObjectKind kRwLocks = {
    .bytes = sizeof(RwLock),
    .mark = offsetof(RwLock, mark),
    .holds_threads = true,
    .tells_apart =
        [](std::uint64_t object, unsigned a, unsigned b) {
          const auto& x = *reinterpret_cast<const RwLock*>(object);
          return x.depth_of(a) != x.depth_of(b) || x.writer == a + 1 || x.writer == b + 1;
        },
    .with_names =
        [](std::uint64_t object, std::uint64_t offset, std::uint64_t word, const ThreadNames& names) {
          if (offset == offsetof(RwLock, writer)) return owner_with_name(word, names);
          if (offset > offsetof(RwLock, writer)) return word;
          return set_with_names(object, offset < sizeof(Mask) ? 0 : sizeof(Mask), offset, names);
        },
};

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT int pthread_rwlock_init(pthread_rwlock_t* l, const pthread_rwlockattr_t* attributes) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  int kind = PTHREAD_RWLOCK_DEFAULT_NP;
  reads_argument(attributes, sizeof *attributes, site);
  require_attributes(attributes, "pthread_rwlock_init", site);
  if (attributes) pthread_rwlockattr_getkind_np(attributes, &kind);
  return initialise(l, kind, site);
}
INSPECT_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* l) { return destroy(l, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* l) {
  return read_lock(l, Mode::wait, nullptr, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) {
  return read_lock(l, Mode::attempt, nullptr, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* l) {
  return write_lock(l, Mode::wait, nullptr, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* l) {
  return write_lock(l, Mode::attempt, nullptr, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* l) { return unlock(l, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* l, const timespec* deadline) {
  return timed_lock(l, read_lock, CLOCK_REALTIME, deadline, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* l, const timespec* deadline) {
  return timed_lock(l, write_lock, CLOCK_REALTIME, deadline, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t clock, const timespec* deadline) {
  return timed_lock(l, read_lock, clock, deadline, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t clock, const timespec* deadline) {
  return timed_lock(l, write_lock, clock, deadline, INSPECT_CALLER_SITE());
}
