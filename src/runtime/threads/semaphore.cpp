// Semaphores, in the memory of sem_t. Named ones live within the process: each execution begins with none.
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>

#include "runtime/platform/export.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/threads/initialised.hpp"
#include "runtime/threads/sync.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/interruption.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/sync_threads.hpp"

namespace inspect::runtime {
namespace {

struct Semaphore {
  std::uint32_t value;
  std::uint32_t mark;  // initialised.hpp
};
static_assert(sizeof(Semaphore) <= sizeof(sem_t));

Semaphore& semaphore_of(sem_t* s) { return *reinterpret_cast<Semaphore*>(s); }
const Semaphore& semaphore_of(const Thread& t) { return *reinterpret_cast<const Semaphore*>(t.pending.object); }
bool returns(const Semaphore& x) { return x.value || x.mark != mark_of(&x); }

Mask wait_guard(const Thread& t) { return returns(semaphore_of(t)) ? Mask::one(0) : blocked(t); }
Mask timed_wait_guard(const Thread& t) { return Mask::one(returns(semaphore_of(t)) ? 0 : 1); }

unsigned start(inspect_kind kind, const sem_t* s, std::uint32_t site, Guard guard = nullptr) {
  const unsigned alternative = announce(operation(kind, s, sizeof *s, site), guard);
  require_initialised(s, sizeof *s, reinterpret_cast<const Semaphore*>(s)->mark, false, "a semaphore", site);
  return alternative;
}

int fail(int error) {
  finish(INSPECT_FLAG_FAILED);
  errno = error;
  return -1;
}

int take(sem_t* s) {
  const std::uint32_t before = semaphore_of(s).value--;  // the search works out from it what another order would find
  acquire_edge(s);
  finish(0, before);
  return 0;
}

int timed_wait(sem_t* s, clockid_t clock, const timespec* time, std::uint32_t site) {
  reads_argument(time, sizeof *time, site);
  const Deadline deadline = deadline_of(clock, time);
  if (!supported_clock(clock) || !deadline.valid) {
    errno = EINVAL;
    return -1;
  }
  cancellation_point(site);
  if (start(INSPECT_OP_SemTimedWait, s, site, timed_wait_guard)) return fail(take_time_out(deadline));
  return take(s);
}

// Only a wait that has found nothing is interrupted.
int interruptible_wait(sem_t* s, std::uint32_t site) {
  for (;;) {
    start(INSPECT_OP_SemTryWait, s, site);
    if (semaphore_of(s).value) return take(s);
    finish(INSPECT_FLAG_FAILED);
    const Interruption interruption = interrupted_call(site);
    if (interruption == Interruption::restarts) continue;
    if (interruption == Interruption::fails) return errno = EINTR, -1;
    start(INSPECT_OP_SemWait, s, site, wait_guard);
    return take(s);
  }
}

int initialise(sem_t* s, unsigned value, std::uint32_t site) {
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  for_each_pending_on(s, [&](const Thread& t) {
    if (t.guard && t.guard(t).empty()) misuse("a semaphore is initialised while another thread waits for it", site);
  });
  initialise_object(s, sizeof *s, INSPECT_FAMILY_Semaphore, site);
  require_new(s, semaphore_of(s).mark, "a semaphore", site);
  memset(s, 0, sizeof *s);
  semaphore_of(s).mark = mark_of(s);
  semaphore_of(s).value = value;
  return 0;
}

int destroy(sem_t* s, std::uint32_t site) {
  start(INSPECT_OP_SemDestroy, s, site);
  for_each_pending_on(s, [&](const Thread& t) {
    if (t.pending.kind == INSPECT_OP_SemWait && t.guard(t).empty())
      misuse("a semaphore is destroyed while a thread waits for it", site);
  });
  semaphore_of(s).mark = kDestroyed;
  finish();
  return 0;
}

// In the data of the executable: a reset empties it.
struct NamedSemaphore {
  char name[64];
  sem_t semaphore;
  unsigned opened;
  bool exists;  // not unlinked
};
NamedSemaphore g_named[32];

NamedSemaphore* find_named(const char* name) {
  for (NamedSemaphore& n : g_named)
    if (n.exists && !strcmp(n.name, name)) return &n;
  return nullptr;
}

// Names are the process's, not a memory object: only modelled while nobody can interfere.
void require_one_thread(const char* what, std::uint32_t site) {
  if (active() && state().execution.alive.count() > 1) report_unsupported(what, site);
}

sem_t* open_named(const char* name, int flags, unsigned value, std::uint32_t site) {
  require_one_thread("sem_open while several threads run", site);
  NamedSemaphore* n = find_named(name);
  const auto refuse = [](int error) {
    errno = error;
    return static_cast<sem_t*>(SEM_FAILED);
  };
  if (n && (flags & O_CREAT) && (flags & O_EXCL)) return refuse(EEXIST);
  if (n) {
    ++n->opened;
    return &n->semaphore;
  }
  if (!(flags & O_CREAT)) return refuse(ENOENT);
  if (value > SEM_VALUE_MAX) return refuse(EINVAL);
  if (strlen(name) >= sizeof n->name) return refuse(ENAMETOOLONG);
  for (NamedSemaphore& slot : g_named) {
    if (slot.opened || slot.exists) continue;
    strcpy(slot.name, name);
    semaphore_of(&slot.semaphore).mark = 0;
    initialise(&slot.semaphore, value, site);
    slot.opened = 1;
    slot.exists = true;
    return &slot.semaphore;
  }
  report_unsupported("more than 32 named semaphores", site);
}

}  // namespace

const SyncObjectKind kSemaphores = {
    .bytes = sizeof(sem_t),
    .mark = offsetof(Semaphore, mark),
    .holds_threads = false,
    .tells_apart = [](std::uint64_t, unsigned, unsigned) { return false; },
    .with_names = [](std::uint64_t, std::uint64_t, std::uint64_t word, const ThreadNames&) { return word; },
};
}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT int sem_init(sem_t* s, int, unsigned value) { return initialise(s, value, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int sem_destroy(sem_t* s) { return destroy(s, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int sem_wait(sem_t* s) {
  const std::uint32_t site = cancellation_point(INSPECT_CALLER_SITE());
  if (signals_interrupt()) return interruptible_wait(s, site);
  start(INSPECT_OP_SemWait, s, site, wait_guard);
  return take(s);
}
INSPECT_EXPORT int sem_trywait(sem_t* s) {
  start(INSPECT_OP_SemTryWait, s, INSPECT_CALLER_SITE());
  return semaphore_of(s).value ? take(s) : fail(EAGAIN);
}
INSPECT_EXPORT int sem_timedwait(sem_t* s, const timespec* deadline) {
  return timed_wait(s, CLOCK_REALTIME, deadline, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int sem_clockwait(sem_t* s, clockid_t clock, const timespec* deadline) {
  return timed_wait(s, clock, deadline, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int sem_post(sem_t* s) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  start(INSPECT_OP_SemPost, s, site);
  if (semaphore_of(s).value == SEM_VALUE_MAX) {  // which of several posts fails is their order, and they are independent
    if (active() && state().execution.created > 1)
      report_unsupported("a post of a semaphore that has its largest value already", site);
    return fail(EOVERFLOW);
  }
  ++semaphore_of(s).value;
  release_edge(s);
  finish();
  return 0;
}
INSPECT_EXPORT int sem_getvalue(sem_t* s, int* value) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  start(INSPECT_OP_SemGetValue, s, site);
  const int found = int(semaphore_of(s).value);
  finish(0, std::uint64_t(found));
  writes_argument(value, sizeof *value, site);
  *value = found;
  return 0;
}

INSPECT_EXPORT sem_t* sem_open(const char* name, int flags, ...) {
  unsigned value = 0;
  if (flags & O_CREAT) {
    va_list arguments;
    va_start(arguments, flags);
    (void)va_arg(arguments, mode_t);
    value = va_arg(arguments, unsigned);
    va_end(arguments);
  }
  return open_named(name, flags, value, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int sem_close(sem_t* s) {
  require_one_thread("sem_close while several threads run", INSPECT_CALLER_SITE());
  for (NamedSemaphore& n : g_named)
    if (&n.semaphore == s && n.opened) {
      --n.opened;
      return 0;
    }
  errno = EINVAL;
  return -1;
}
INSPECT_EXPORT int sem_unlink(const char* name) {
  require_one_thread("sem_unlink while several threads run", INSPECT_CALLER_SITE());
  NamedSemaphore* const n = find_named(name);
  if (!n) {
    errno = ENOENT;
    return -1;
  }
  n->exists = false;
  return 0;
}
