#include "runtime/environment/signals.hpp"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "runtime/environment/signal_state.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/memory/stack_objects.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/mutation.hpp"
#include "runtime/platform/outside.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/uncovered.hpp"
#include "runtime/schedule/virtual_time.hpp"
#include "runtime/threads/threads.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/environment_ready.hpp"
#include "runtime/upcalls/interruption.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

// The kernel's own form of a handler's description.
extern "C" void inspect_signal_return();
asm(R"(
.text
.globl inspect_signal_return
.hidden inspect_signal_return
.type inspect_signal_return,@function
inspect_signal_return:
  movq $15, %rax
  syscall
.size inspect_signal_return,.-inspect_signal_return
)");

namespace inspect::runtime {
namespace {

bool ignored_by_default(int number) { return number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT; }
bool stops_by_default(int number) { return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU; }

const char* name_of(int number) {
  const char* const name = sigabbrev_np(number);
  return name ? name : "of real time";
}

[[noreturn]] void die_of(int number, std::uint32_t site) {
  if (number == SIGABRT) report_bug(INSPECT_BUG_ASSERTION, "SIGABRT was raised", site);
  report_bug(INSPECT_BUG_CRASH, format_message("SIG%s was raised", name_of(number)), site);
}

// A signal on its way to a handler.
struct Delivery {
  int number;
  bool of_process;  // sent by kill
  bool interrupts;  // the thread, at a place that is not its choice
};

void run_handler(const Delivery& d, std::uint32_t site) {
  const auto [number, of_process, interrupts] = d;
  Signals& s = signals();
  ThreadSignals& t = own();
  const struct sigaction action = s.actions[number];
  if (t.depth == kMaxNesting) report_unsupported("signal handlers nested more than 8 deep", site);
  if ((action.sa_flags & SA_ONSTACK) && t.alternate.ss_sp) report_unsupported("a signal handler on a stack of its own", site);
  if (unsigned(action.sa_flags) & SA_RESETHAND) s.actions[number].sa_handler = SIG_DFL;
  const bool repeats = action.sa_flags & SA_NODEFER;
  t.nesting[t.depth++] = {reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)), t.mask, number, interrupts, repeats};
  t.mask |= bits(action.sa_mask);
  if (!repeats) t.mask |= bit(number);
  const int errno_before = errno;
  about_to_call(action.sa_handler, "a signal");
  if (action.sa_flags & SA_SIGINFO) {
    siginfo_t info{};
    ucontext_t context{};
    info.si_signo = number;
    info.si_code = of_process ? SI_USER : SI_TKILL;
    info.si_pid = kProcessNumber;
    store(&context.uc_sigmask, t.nesting[t.depth - 1].mask);
    const LentBytes information(&info, sizeof info), registers(&context, sizeof context);
    action.sa_sigaction(number, &info, &context);
    if (t.depth) t.nesting[t.depth - 1].mask = bits(context.uc_sigmask) & ~kNeverBlocked;  // it may have changed that
  } else {
    action.sa_handler(number);
  }
  if (interrupts && errno != errno_before) note_unsafe_handler("leaves another value in errno");
  if (t.depth) t.mask = t.nesting[--t.depth].mask;
  // What the handler blocked comes now; the look before the next operation finds it.
  if (interrupts)
    state().current->signals.waited = true;
  else if (active())
    deliver_pending(site);
}

void deliver(const Delivery& d, std::uint32_t site) {
  const int number = d.number;
  const struct sigaction& action = signals().actions[number];
  if (number == SIGKILL) die_of(number, site);
  if (action.sa_handler == SIG_IGN) return;
  if (action.sa_handler != SIG_DFL) return run_handler(d, site);
  if (ignored_by_default(number)) return;
  if (stops_by_default(number)) report_unsupported(format_message("SIG%s stops the process", name_of(number)), site);
  die_of(number, site);
}

std::uint64_t pending_for(unsigned thread) { return signals().pending | signals().threads[thread].pending; }

// Takes the first pending signal of `set`, which must have one: the thread's own before the process's.
Delivery take_pending(std::uint64_t set) {
  ThreadSignals& t = own();
  const bool of_process = !(t.pending & set);
  std::uint64_t& from = of_process ? signals().pending : t.pending;
  const int number = __builtin_ctzll(from & set) + 1;
  from &= ~bit(number);
  return {number, of_process, false};
}

// Of one number, one waits at most; those of real time would queue.
void add_pending(std::uint64_t& pending, int number, std::uint32_t site) {
  constexpr int kFirstOfRealTime = 32;
  if (number >= kFirstOfRealTime && (pending & bit(number)))
    report_unsupported("two signals of real time that wait for one thread", site);
  pending |= bit(number);
}

// The mask outside of all handlers: those come to an end.
std::uint64_t lasting_mask(unsigned thread) {
  const ThreadSignals& t = signals().threads[thread];
  return t.depth ? t.nesting[0].mask : t.mask;
}

int take_interruption(bool interrupts, std::uint32_t site);

bool discarded(int number) {
  const struct sigaction& action = signals().actions[number];
  return action.sa_handler == SIG_IGN || (action.sa_handler == SIG_DFL && ignored_by_default(number));
}

void discard_pending(int number) {
  Signals& s = signals();
  s.pending &= ~bit(number);
  for (ThreadSignals& t : s.threads) t.pending &= ~bit(number);
}

// A step on the signals and masks of the process; the order of these is explored. object2: what matters too.
void signal_step(std::uint32_t site, std::uint64_t object2 = 0, std::uint32_t size2 = 0) {
  if (!active() || state().execution.created <= 1) return;
  visible(signal_operation(object2, size2, site));
  race_acquire(current_thread(), INSPECT_SIGNALS_OBJECT);
  race_release(current_thread(), INSPECT_SIGNALS_OBJECT);
  executed();
}

bool is_handled(int number) { return signals().actions[number].sa_handler != SIG_DFL && !discarded(number); }

// Of `receivers`, a thread or all of them, some find the signal before one of their next operations.
void leave_for(std::uint64_t& pending, std::uint64_t receivers, std::uint32_t bytes, int number, std::uint32_t site) {
  if (!signals_interrupt())
    report_unsupported(format_message("SIG%s sent to another thread, through a pointer or by a library", name_of(number)),
                       site);
  visible(mutated(Mutation::signals_sent_unseen) ? signal_operation(0, 0, site) : signal_operation(receivers, bytes, site));
  race_release(current_thread(), INSPECT_SIGNALS_OBJECT);
  add_pending(pending, number, site);
  executed();
}

// The process's: whichever thread does not block it, and comes first.
int send_to_process(int number, std::uint32_t site) {
  if (!number) return 0;
  if (signals_interrupt())
    signal_step(site, inspect_thread_object(0), kThreadsBytes);  // which threads there are
  else
    signal_step(site);
  const bool open_here = !(own().mask & bit(number));
  bool open_elsewhere = false;
  state().execution.alive.for_each([&](unsigned i) { open_elsewhere |= i != self() && !(lasting_mask(i) & bit(number)); });
  if (open_here && (!open_elsewhere || !is_handled(number))) {
    signals().pending &= ~bit(number);  // one that waits and this one are one
    deliver({number, true, false}, site);
  } else if (open_elsewhere && !is_handled(number)) {
    deliver({number, true, false}, site);
  } else if (open_elsewhere || signals_interrupt()) {
    leave_for(signals().pending, inspect_delivery_object(0), kDeliveriesBytes, number, site);
  } else {
    add_pending(signals().pending, number, site);
  }
  return 0;
}

int send_to_thread(pthread_t handle, int number, std::uint32_t site) {
  Thread* const t = &used_thread(handle, "a signal", site, false);
  const bool to_self = t == state().current;
  to_self ? signal_step(site) : signal_step(site, inspect_thread_object(t->id), 1);
  used_thread(handle, "a signal", site, false);
  if (!number || t->status != ThreadStatus::alive) return 0;
  ThreadSignals& target = signals().threads[t->id];
  if (to_self && (own().mask & bit(number))) {  // kept even if ignored: who blocks it may wait for it
    add_pending(target.pending, number, site);
  } else if (to_self) {
    target.pending &= ~bit(number);  // one that waits and this one are one
    deliver({number, false, false}, site);
  } else if (signals_interrupt() && ((lasting_mask(t->id) & bit(number)) || is_handled(number))) {
    leave_for(target.pending, inspect_delivery_object(t->id), kDeliveryBytes, number, site);
  } else if (target.mask & bit(number)) {
    add_pending(target.pending, number, site);
  } else if (is_handled(number)) {
    leave_for(target.pending, inspect_delivery_object(t->id), kDeliveryBytes, number, site);  // unsupported, by name
  } else {
    deliver({number, false, false}, site);  // what ends the process, or does nothing, needs no particular place
  }
  return 0;
}

// Blocks until a signal of `set` is pending; takes it. 0 when the time is over.
int take_signal(std::uint64_t set, bool may_time_out, std::uint32_t site) {
  state().current->wait.value = set;
  Operation o = operation(INSPECT_OP_External, nullptr, 0, site);
  o.object2 = INSPECT_SIGNALS_OBJECT;
  o.size2 = 64;
  if (signals_interrupt()) {  // others may look for what it takes
    o.object = inspect_delivery_object(0);
    o.size = kDeliveriesBytes;
  }
  const unsigned alternative = visible(
      o, may_time_out ? [](const Thread& t) { return Mask::one(pending_for(t.id) & t.wait.value ? 0 : 1); }
                      : [](const Thread& t) { return pending_for(t.id) & t.wait.value ? Mask::one(0) : Mask{}; });
  if (alternative == 1) return executed(INSPECT_FLAG_FAILED), 0;
  race_acquire(current_thread(), INSPECT_SIGNALS_OBJECT);
  const int number = take_pending(set).number;
  executed(0, std::uint64_t(number));
  return number;
}

// What sigwaitinfo() and sigtimedwait() return.
int tell_of(int number, siginfo_t* info, std::uint32_t site) {
  writes_argument(info, sizeof *info, site);
  if (info) *info = {};
  if (info) info->si_signo = number;
  return number;
}

// What is ignored is discarded.
void action_step(std::uint32_t site) {
  if (signals_interrupt())
    signal_step(site, inspect_delivery_object(0), kDeliveriesBytes);
  else
    signal_step(site);
}

// Until a signal that `mask` lets through has been handled.
int suspend(std::uint64_t mask, std::uint32_t site) {
  if (signals_interrupt()) take_signals_before({}, false);
  ThreadSignals& t = own();
  const std::uint64_t before = t.mask;
  t.mask = mask & ~kNeverBlocked;
  state().current->signals.taken = true;  // what comes from here on ends the wait
  const int number = take_signal(~t.mask, false, site);
  deliver({number, false, false}, site);
  own().mask = before;
  errno = EINTR;
  return -1;
}

int take_interruption(bool interrupts, std::uint32_t site) {
  const bool of_thread = own().pending & ~own().mask;
  const std::uint64_t takers = inspect_delivery_object(of_thread ? self() : 0);
  visible(signal_operation(takers, of_thread ? kDeliveryBytes : kDeliveriesBytes, site));
  race_acquire(current_thread(), INSPECT_SIGNALS_OBJECT);
  const std::uint64_t found = (of_thread ? own().pending : pending_for(self())) & ~own().mask;
  Delivery d = found ? take_pending(found) : Delivery{};
  executed();
  if (!d.number) return -1;  // another thread came first
  d.interrupts = interrupts;
  const int flags = signals().actions[d.number].sa_flags;
  deliver(d, site);
  return flags;
}

int to_self(pid_t target, int number, std::uint32_t site) {
  if (!valid(number) && number) return errno = EINVAL, -1;
  if (target != kProcessNumber && target != 0 && target != -kProcessNumber)
    report_unsupported("a signal to another process", site);
  return send_to_process(number, site);
}

int checked(long result) { return result < 0 ? (errno = int(-result), -1) : int(result); }

}  // namespace

void deliver_pending(std::uint32_t site) {
  if (!signals_interrupt()) {
    while (pending_for(self()) & ~own().mask) deliver(take_pending(~own().mask), site);
    return;
  }
  for (;;) {
    state().current->signals.taken = true;
    visible(operation(INSPECT_OP_AtomicLoad, reinterpret_cast<void*>(inspect_delivery_object(self())), kDeliveryBytes, site));
    const bool found = signal_found(false);
    executed(0, found);
    if (!found) break;
    state().current->signals.taken = true;
    take_interruption(false, site);
  }
}

void kernel_sigaction(int number, void (*handler)(int, siginfo_t*, void*), unsigned long flags, bool ignore) {
  struct {
    std::uintptr_t handler;
    unsigned long flags;
    void (*restorer)();
    std::uint64_t mask;
  } action{ignore ? 1 : reinterpret_cast<std::uintptr_t>(handler), flags | 0x04000000 /* SA_RESTORER */, inspect_signal_return,
           0};
  system_call(SYS_rt_sigaction, number, reinterpret_cast<long>(&action), 0, sizeof action.mask);
}

bool signal_found(bool of_thread) {
  const ThreadSignals& t = own();
  return (of_thread ? t.pending : pending_for(self())) & ~t.mask;
}

bool is_sole_taker(std::uint32_t site) {
  visible(signal_operation(inspect_thread_object(0), kThreadsBytes, site));
  const std::uint64_t found = pending_for(self()) & ~own().mask;
  bool sole = true;
  state().execution.alive.for_each([&](unsigned i) { sole &= i == self() || !(found & ~lasting_mask(i)); });
  executed();
  return sole;
}

int take_interruption(std::uint32_t site) { return take_interruption(true, site); }

InterruptingHandler interrupting_handler() {
  InterruptingHandler found = {};
  if (!signal_state().touched) return found;
  const ThreadSignals& t = own();
  for (unsigned i = 0; i < t.depth; ++i) {
    const Nesting& n = t.nesting[i];
    if (!n.interrupts) continue;
    if (!found.number) found.outermost = n.stack_pointer;
    found.innermost = n.stack_pointer;
    found.number = n.number;
    found.repeats = n.repeats;
  }
  return found;
}

bool signal_is_due(const Thread& t) {
  if (!signals_interrupt()) return false;
  return pending_for(t.id) & ~signals().threads[t.id].mask;
}

void signals_thread_created(std::uint8_t parent, std::uint8_t child) {
  SignalState& s = signal_state();
  if (s.touched)
    s.now.threads[child] = {.mask = s.now.threads[parent].mask, .pending = 0, .alternate = {}, .depth = 0, .nesting = {}};
}

void run_abort_handler(std::uint32_t site) {
  const struct sigaction& action = signals().actions[SIGABRT];
  if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) run_handler({SIGABRT, false, false}, site);
}

void receive_signal(int number, std::uint32_t site) {
  signal_step(site);  // what it does may be changed by other threads
  if (own().mask & bit(number))
    own().pending |= bit(number);
  else
    deliver({number, false, false}, site);
}

// A write to a pipe without readers must not kill the process behind the model's back.
void boot_signals() {
  SignalState& s = signal_state();
  s.at_boot = s.now;
  if (!state().standalone) kernel_sigaction(SIGPIPE, nullptr, 0, true);
}

void reset_signals() {
  SignalState& s = signal_state();
  if (!s.touched) return;
  s.now = s.at_boot;
  s.touched = false;
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept {
  if (!valid(number) || (action && (number == SIGKILL || number == SIGSTOP))) return errno = EINVAL, -1;
  const std::uint32_t site = INSPECT_CALLER_SITE();
  reads_argument(action, sizeof *action, site);
  const struct sigaction wanted = action ? *action : (struct sigaction){};  // `old` may be the same object
  action_step(site);
  struct sigaction& installed = signals().actions[number];
  const struct sigaction before = installed;
  if (action) installed = wanted;
  if (action && discarded(number)) discard_pending(number);
  writes_argument(old, sizeof *old, site);
  if (old) *old = before;
  return 0;
}
INSPECT_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (!valid(number) || number == SIGKILL || number == SIGSTOP) return errno = EINVAL, SIG_ERR;
  action_step(INSPECT_CALLER_SITE());
  struct sigaction& action = signals().actions[number];
  const sighandler_t old = action.sa_handler;
  action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  if (discarded(number)) discard_pending(number);
  return old;
}
INSPECT_EXPORT sighandler_t bsd_signal(int number, sighandler_t handler) noexcept { return signal(number, handler); }
INSPECT_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  const sighandler_t old = signal(number, handler);
  if (old != SIG_ERR) signals().actions[number].sa_flags = int(SA_RESETHAND) | SA_NODEFER;
  return old;
}
INSPECT_EXPORT sighandler_t sysv_signal(int number, sighandler_t handler) noexcept { return __sysv_signal(number, handler); }
INSPECT_EXPORT int siginterrupt(int number, int interrupts) noexcept {
  if (!valid(number)) return errno = EINVAL, -1;
  signal_step(INSPECT_CALLER_SITE());
  int& flags = signals().actions[number].sa_flags;
  flags = interrupts ? flags & ~SA_RESTART : flags | SA_RESTART;
  return 0;
}
INSPECT_EXPORT int sigpending(sigset_t* set) noexcept {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  signal_step(site);
  const std::uint64_t found = pending_for(self());
  writes_argument(set, sizeof *set, site);
  store(set, found);
  return 0;
}

INSPECT_EXPORT int raise(int number) noexcept {
  if (!active()) return checked(system_call(SYS_tkill, system_call(SYS_gettid), number));
  if (number && !valid(number)) return errno = EINVAL, -1;
  const std::uint32_t site = INSPECT_CALLER_SITE();
  return state().execution.created > 1 ? send_to_thread(handle_of(*state().current), number, site)
                                       : send_to_process(number, site);
}
INSPECT_EXPORT int kill(pid_t target, int number) noexcept {
  if (environment_is_real() && target != getpid()) return checked(system_call(SYS_kill, target, number));
  return to_self(environment_is_real() ? kProcessNumber : target, number, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int killpg(pid_t group, int number) noexcept {
  if (environment_is_real()) return checked(system_call(SYS_kill, -group, number));
  return to_self(-group, number, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int tgkill(pid_t, pid_t thread, int number) {
  return pthread_kill(kStackBase + unsigned(thread - kProcessNumber) * kStackSlot, number);
}
INSPECT_EXPORT int pthread_kill(pthread_t thread, int number) noexcept {
  if (!valid(number) && number) return EINVAL;
  return send_to_thread(thread, number, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int sigqueue(pid_t, int, const union sigval) noexcept {
  report_unsupported("sigqueue: signals with values are not modelled", INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int pthread_sigqueue(pthread_t, int, const union sigval) noexcept {
  report_unsupported("pthread_sigqueue: signals with values are not modelled", INSPECT_CALLER_SITE());
}

INSPECT_EXPORT int sigwait(const sigset_t* set, int* number) {
  const std::uint32_t site = cancellation_point(INSPECT_CALLER_SITE());
  reads_argument(set, sizeof *set, site);
  const int found = take_signal(bits(*set), false, site);
  writes_argument(number, sizeof *number, site);
  *number = found;
  return 0;
}
INSPECT_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  const std::uint32_t site = cancellation_point(INSPECT_CALLER_SITE());
  reads_argument(set, sizeof *set, site);
  return tell_of(take_signal(bits(*set), false, site), info, site);
}
INSPECT_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* timeout) {
  const std::uint32_t site = cancellation_point(INSPECT_CALLER_SITE());
  reads_argument(set, sizeof *set, site);
  reads_argument(timeout, sizeof *timeout, site);
  const bool may_time_out = timeout;  // null: as sigwaitinfo
  const timespec longest = timeout ? *timeout : timespec{};
  const int number = take_signal(bits(*set), may_time_out, site);
  if (number) return tell_of(number, info, site);
  advance_clock(present_clock() + std::uint64_t(longest.tv_sec) * 1'000'000'000 + std::uint64_t(longest.tv_nsec));
  return errno = EAGAIN, -1;
}
INSPECT_EXPORT int sigsuspend(const sigset_t* mask) {
  const std::uint32_t site = cancellation_point(INSPECT_CALLER_SITE());
  reads_argument(mask, sizeof *mask, site);
  return suspend(bits(*mask), site);
}
INSPECT_EXPORT int pause(void) {
  const std::uint32_t site = cancellation_point(INSPECT_CALLER_SITE());
  return suspend(own().mask, site);
}
