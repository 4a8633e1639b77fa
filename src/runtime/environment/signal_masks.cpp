// The masks of threads: what blocks signals, and what jumps and handlers do to it.
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "runtime/environment/signal_state.hpp"
#include "runtime/environment/signals.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/uncovered.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

void note_lost_mask() {
  state().channel->uncovered_calls = 1;
  assume_text("sigsetjmp saves more signal masks than are followed");
}

int change_mask(int how, const sigset_t* set, sigset_t* old, std::uint32_t site) {
  reads_argument(set, sizeof *set, site);
  const std::uint64_t wanted = set ? bits(*set) : 0;  // `old` may be the same object
  if (set) mask_step(site);
  writes_argument(old, sizeof *old, site);
  ThreadSignals& t = own();
  if (old) store(old, t.mask);
  if (!set) return 0;
  switch (how) {
    case SIG_BLOCK:
      t.mask |= wanted;
      break;
    case SIG_UNBLOCK:
      t.mask &= ~wanted;
      break;
    case SIG_SETMASK:
      t.mask = wanted;
      break;
    default:
      return EINVAL;
  }
  t.mask &= ~kNeverBlocked;
  if (active()) deliver_pending(site);
  return 0;
}

int change_one(int number, bool blocks, std::uint32_t site) {
  if (!valid(number)) return errno = EINVAL, -1;
  mask_step(site);
  std::uint64_t& mask = own().mask;
  mask = (blocks ? mask | bit(number) : mask & ~bit(number)) & ~kNeverBlocked;
  if (active()) deliver_pending(site);
  return 0;
}

}  // namespace

void mask_step(std::uint32_t site) {
  if (!active() || state().execution.created <= 1) return;
  visible(signal_operation(0, 0, site));
  executed();
}

void leave_handlers_below(std::uintptr_t pointer) {
  if (signal_state().touched) leave_below(signals().threads[self()], pointer);
}

void save_mask(const void* place, bool saves) {
  if (!saves && !signal_state().touched) return;
  Signals& s = signals();
  SavedMask* free = nullptr;
  for (SavedMask& m : s.saved) {
    if (m.place == place) m.place = nullptr;
    if (!m.place && !free) free = &m;
  }
  if (!saves) return;
  if (!free) return note_lost_mask();
  *free = {place, own().mask};
}

void restore_mask(const void* place, std::uint32_t site) {
  if (!signal_state().touched) return;
  for (const SavedMask& m : signals().saved) {
    if (m.place != place) continue;
    if (active() && state().execution.created > 1) mask_step(site);
    own().mask = m.mask;
    if (active()) deliver_pending(site);
  }
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  return change_mask(how, set, old, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  const int error = change_mask(how, set, old, INSPECT_CALLER_SITE());
  return error ? (errno = error, -1) : 0;
}
INSPECT_EXPORT int sigaltstack(const stack_t* stack, stack_t* old) noexcept {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  ThreadSignals& t = own();
  const stack_t wanted = stack ? *stack : stack_t{};  // `old` may be the same object
  reads_argument(stack, sizeof *stack, site);
  writes_argument(old, sizeof *old, site);
  if (old) {
    *old = t.alternate;
    if (!t.alternate.ss_sp) old->ss_flags = SS_DISABLE;
  }
  if (stack) t.alternate = wanted;
  return 0;
}

// Of System V.
INSPECT_EXPORT int sighold(int number) noexcept { return change_one(number, true, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int sigrelse(int number) noexcept { return change_one(number, false, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int sigignore(int number) noexcept { return signal(number, SIG_IGN) == SIG_ERR ? -1 : 0; }
INSPECT_EXPORT sighandler_t sigset(int number, sighandler_t handler) noexcept {
  if (!valid(number) || number == SIGKILL || number == SIGSTOP) return errno = EINVAL, SIG_ERR;
  const std::uint32_t site = INSPECT_CALLER_SITE();
  const bool held = own().mask & bit(number);
  sighandler_t old = signals().actions[number].sa_handler;
  if (handler != SIG_HOLD) {
    old = signal(number, handler);
    signals().actions[number].sa_flags = 0;
  }
  change_one(number, handler == SIG_HOLD, site);
  return held ? SIG_HOLD : old;
}
INSPECT_EXPORT int pthread_attr_setsigmask_np(pthread_attr_t*, const sigset_t*) {
  report_unsupported("pthread_attr_setsigmask_np", INSPECT_CALLER_SITE());
}
