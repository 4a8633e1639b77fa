#include "runtime/threads/condition.hpp"

#include <string.h>

#include "runtime/platform/export.hpp"
#include "runtime/platform/mutation.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/threads/initialised.hpp"
#include "runtime/threads/mutex.hpp"
#include "runtime/threads/sync.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/sync_threads.hpp"

namespace inspect::runtime {
namespace {

struct Condition {
  Mask waiters;            // not signalled yet
  Mask woken_spuriously;   // since the last signal
  pthread_mutex_t* mutex;  // of the waiters
  std::uint32_t clock;
  std::uint32_t mark;  // initialised.hpp; 0 until the first use of a static one
};
static_assert(sizeof(Condition) == sizeof(pthread_cond_t) && alignof(Condition) == alignof(pthread_cond_t));

enum Alternative : unsigned { kWait = 0, kTimeOut = 1, kSpurious = 2 };

Condition& condition(pthread_cond_t* c) { return *reinterpret_cast<Condition*>(c); }
const Condition& condition_of(const Thread& t) { return *reinterpret_cast<const Condition*>(t.pending.object); }

Mask spurious_alternative(const Thread& t) {
  const bool possible = state().channel->configuration.spurious_wakeups && !condition_of(t).woken_spuriously.has(t.id);
  return possible ? Mask::one(kSpurious) : Mask{};
}
Mask wait_guard(const Thread& t) {
  Mask alternatives = spurious_alternative(t);
  alternatives.add(kWait);
  return alternatives;
}
// wait_value: the deadline. Once the thread's clock has passed it, only the time-out is left.
Mask timed_wait_guard(const Thread& t) {
  if (t.clock >= t.wait.value) return Mask::one(kTimeOut);
  Mask alternatives = wait_guard(t);
  alternatives.add(kTimeOut);
  return alternatives;
}

bool mutex_free_for(const Thread& t) {
  return mutex_lock_returns(reinterpret_cast<const pthread_mutex_t*>(t.pending.object), t.id);
}
Mask wake_guard(const Thread& t) { return mutex_free_for(t) ? Mask::one(0) : blocked(t); }
Mask signalled_guard(const Thread& t) { return t.wait.wakeup == Wakeup::signalled ? wake_guard(t) : Mask{}; }

// Alternative n + 1 wakes thread n; 0 when nobody waits.
Mask signal_guard(const Thread& t) {
  const Mask& w = condition_of(t).waiters;
  if (w.empty()) return Mask::one(0);
  if (mutated(Mutation::signal_wakes_first)) return Mask::one(w.first() + 1);
  return Mask{{w.words[0] << 1, w.words[1] << 1 | w.words[0] >> 63}};
}

Operation condition_operation(inspect_kind kind, const pthread_cond_t* c, std::uint32_t site) {
  return operation(kind, c, sizeof *c, site);
}

void check_usable(pthread_cond_t* c, std::uint32_t site) {
  require_initialised(c, sizeof *c, condition(c).mark, true, "a condition variable", site);
  condition(c).mark = mark_of(c);
}

void note_spurious_wakes() {
  if (!active()) return;
  assume_text(state().channel->configuration.spurious_wakeups
                  ? "spurious wakes: at most one for each thread and condition variable between two signals"
                  : "spurious wakes of condition variables are not explored (--spurious-wakeups explores them)");
}

// Locks the mutex again. object2: the condition, for those that a signal woke (SEMANTICS B.2).
// A time-out is over only here: others had the mutex before.
int lock_again(pthread_cond_t* c, pthread_mutex_t* m, bool signalled, const Deadline* passed, std::uint32_t site) {
  Operation o = operation(INSPECT_OP_CondWake, m, sizeof *m, site);
  if (signalled) {
    o.object2 = reinterpret_cast<std::uint64_t>(c);
    o.size2 = sizeof *c;
  }
  announce(o, signalled ? signalled_guard : wake_guard);
  self_thread().wait.may_time_out = false;
  if (passed) take_time_out(*passed);
  const int error = take_mutex_after_wait(m, site);
  finish(error == ENOTRECOVERABLE ? INSPECT_FLAG_FAILED : 0);
  return error;
}

void wake(Condition& x, unsigned thread) {
  state().threads[thread].wait.wakeup = Wakeup::signalled;
  x.waiters.remove(thread);
  if (x.waiters.empty()) x.mutex = nullptr;  // so that its state is that of one on which nobody waited yet
}

// The thread is not among the waiters any more; a signal that it was woken by goes to another of them (POSIX: it is not
// consumed). The cleanup handlers run with the mutex.
[[noreturn]] void cancel_wait(pthread_cond_t* c, pthread_mutex_t* m, bool waits, std::uint32_t site) {
  Thread& t = self_thread();
  if (waits) {
    visible(condition_operation(INSPECT_OP_SignalSend, c, site));
    const bool signalled = t.wait.wakeup == Wakeup::signalled;
    if (!signalled) wake(condition(c), t.id);
    executed();
    if (signalled) signal_condition(c, site);
  }
  lock_again(c, m, false, nullptr, site);
  act_on_cancellation(site);
}

// What makes a wait fail or undefined, found in its first step. 0: it may go on.
int check_wait(Condition& condition, pthread_cond_t* c, pthread_mutex_t* m, std::uint32_t site) {
  check_usable(c, site);
  if (!mutex_owned_by(m, self())) {
    if (mutex_demands_owner(m)) return EPERM;
    misuse("a wait on a condition variable without holding its mutex", site);
  }
  if (!condition.waiters.empty() && condition.mutex != m)
    misuse("threads wait on one condition variable with different mutexes", site);
  if (self() == INSPECT_MAX_THREADS - 1)
    report_limit(INSPECT_LIMIT_THREADS, "the 128th thread waits on a condition variable", site);
  return 0;
}

int wait_with(pthread_cond_t* c, pthread_mutex_t* m, const Deadline* deadline, std::uint32_t site) {
  note_spurious_wakes();
  Condition& x = condition(c);
  Thread& t = self_thread();
  Operation o = condition_operation(INSPECT_OP_CondWait, c, site);
  if (mutex_is_given_back(m, t.id)) {
    o.object2 = reinterpret_cast<std::uint64_t>(m);
    o.size2 = sizeof *m;
  }
  t.wait.value = deadline ? deadline->at : 0;
  const unsigned alternative = announce(o, deadline ? timed_wait_guard : wait_guard);
  if (const int error = check_wait(x, c, m, site)) {
    finish(INSPECT_FLAG_FAILED);
    return error;
  }
  if (alternative == kWait) {
    x.waiters.add(t.id);
    x.mutex = m;
    t.wait.wakeup = Wakeup::none;
    t.wait.may_time_out = deadline != nullptr;
  } else if (alternative == kSpurious) {
    x.woken_spuriously.add(t.id);
  }
  release_mutex_for_wait(m);
  finish(alternative == kWait ? 0 : INSPECT_FLAG_FAILED);  // else it was never a waiter
  if (cancellation_requested(site)) cancel_wait(c, m, alternative == kWait, site);
  const bool late = alternative == kTimeOut;
  const int error = lock_again(c, m, alternative == kWait, late ? deadline : nullptr, site);
  return error || !late ? error : ETIMEDOUT;
}

}  // namespace

bool condition_is_marked(pthread_cond_t* c) { return condition(c).mark != 0; }

int initialise_condition(pthread_cond_t* c, clockid_t clock, std::uint32_t site) {
  if (active())
    state().execution.alive.for_each([&](unsigned i) {
      const Thread& t = state().threads[i];
      const bool waits = t.pending.kind == INSPECT_OP_CondWake && t.pending.object2 == reinterpret_cast<std::uint64_t>(c);
      if (waits && t.wait.wakeup == Wakeup::none) misuse("a condition variable is initialised while threads wait on it", site);
    });
  initialise_object(c, sizeof *c, INSPECT_FAMILY_Cond, site);
  require_new(c, condition(c).mark, "a condition variable", site);
  memset(c, 0, sizeof *c);
  condition(c).mark = mark_of(c);
  condition(c).clock = std::uint32_t(clock);
  return 0;
}

int destroy_condition(pthread_cond_t* c, std::uint32_t site) {
  announce(condition_operation(INSPECT_OP_CondDestroy, c, site));
  check_usable(c, site);
  if (!condition(c).waiters.empty()) misuse("a condition variable is destroyed while threads wait on it", site);
  condition(c).mark = kDestroyed;
  finish();
  return 0;
}

int wait_condition(pthread_cond_t* c, pthread_mutex_t* m, std::uint32_t site) { return wait_with(c, m, nullptr, site); }

int timed_wait_condition(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* time, std::uint32_t site) {
  reads_argument(time, sizeof *time, site);
  const Deadline deadline = deadline_of(clock, time);
  if (!supported_clock(clock) || !deadline.valid) return EINVAL;
  return wait_with(c, m, &deadline, site);
}

int signal_condition(pthread_cond_t* c, std::uint32_t site) {
  const unsigned alternative = announce(condition_operation(INSPECT_OP_CondSignal, c, site), signal_guard);
  check_usable(c, site);
  Condition& x = condition(c);
  if (alternative) wake(x, alternative - 1);
  x.woken_spuriously = {};
  finish();
  return 0;
}

int broadcast_condition(pthread_cond_t* c, std::uint32_t site) {
  announce(condition_operation(INSPECT_OP_CondBroadcast, c, site));
  check_usable(c, site);
  Condition& x = condition(c);
  const Mask waiters = x.waiters;
  waiters.for_each([&](unsigned i) { wake(x, i); });
  x.woken_spuriously = {};
  finish();
  return 0;
}

const SyncObjectKind kConditions = {
    .bytes = sizeof(Condition),
    .mark = offsetof(Condition, mark),
    .holds_threads = true,
    .tells_apart =
        [](std::uint64_t object, unsigned a, unsigned b) {
          const auto& x = *reinterpret_cast<const Condition*>(object);
          return x.waiters.has(a) != x.waiters.has(b) || x.woken_spuriously.has(a) != x.woken_spuriously.has(b);
        },
    .with_names =
        [](std::uint64_t object, std::uint64_t offset, std::uint64_t word, const ThreadNames& names) {
          if (offset >= offsetof(Condition, mutex)) return word;
          const std::uint64_t first = offset < sizeof(Mask) ? 0 : offsetof(Condition, woken_spuriously);
          return set_with_names(object, first, offset, names);
        },
};

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT int pthread_cond_init(pthread_cond_t* c, const pthread_condattr_t* attributes) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  clockid_t clock = CLOCK_REALTIME;
  reads_argument(attributes, sizeof *attributes, site);
  require_attributes(attributes, "pthread_cond_init", site);
  if (attributes) pthread_condattr_getclock(attributes, &clock);
  return initialise_condition(c, clock, site);
}
INSPECT_EXPORT int pthread_cond_destroy(pthread_cond_t* c) { return destroy_condition(c, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  return wait_condition(c, m, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* deadline) {
  return timed_wait_condition(c, m, clockid_t(condition(c).clock), deadline, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* deadline) {
  return timed_wait_condition(c, m, clock, deadline, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int pthread_cond_signal(pthread_cond_t* c) { return signal_condition(c, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int pthread_cond_broadcast(pthread_cond_t* c) { return broadcast_condition(c, INSPECT_CALLER_SITE()); }
