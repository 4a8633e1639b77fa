#include "runtime/upcalls/interruption.hpp"

#include <signal.h>
#include <string.h>

#include <initializer_list>

#include "hooks/meaning.hpp"
#include "runtime/environment/signals.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/upcalls/disturbance.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

// What the model of a call keeps in its thread from one step to the next: a handler makes calls of its own.
class KeptCall {
 public:
  explicit KeptCall(Thread& t)
      : t_(t),
        wait_value_(t.wait.value),
        futex_bits_(t.wait.futex_bits),
        futex_value_(t.wait.futex_value),
        may_time_out_(t.wait.may_time_out),
        looked_(t.cancel.looked),
        never_restarts_(t.signals.never_restarts),
        caller_(t.caller) {}
  ~KeptCall() {
    t_.wait.value = wait_value_;
    t_.wait.futex_bits = futex_bits_;
    t_.wait.futex_value = futex_value_;
    t_.wait.may_time_out = may_time_out_;
    t_.cancel.looked = looked_;
    t_.signals.never_restarts = never_restarts_;
    t_.caller = caller_;
  }
  KeptCall(const KeptCall&) = delete;
  KeptCall& operator=(const KeptCall&) = delete;

 private:
  Thread& t_;
  std::uint64_t wait_value_;
  std::uint32_t futex_bits_, futex_value_;
  bool may_time_out_, looked_, never_restarts_;
  const void* caller_;
};

// A step. Is there a signal, and is it not left to a later operation?
bool look_for_signals(Thread& t, std::uint32_t site) {
  visible(operation(INSPECT_OP_AtomicLoad, reinterpret_cast<void*>(inspect_delivery_object(t.id)), 8, site));
  const bool found = signal_found(false), of_thread = signal_found(true), waited = t.signals.waited;
  executed(0, found);
  t.signals.waited = false;
  if (!found) return false;
  t.signals.taken = true;  // the steps that follow from it do not look again
  if (waited && (of_thread || is_sole_taker(site))) return true;
  t.signals.taken = true;
  const bool later = visible(operation(INSPECT_OP_Choice, nullptr, 0, site), nullptr, 2) == 1;
  executed();
  return !later;
}

// Runs a handler if there is a signal for it. The flags that it was installed with, or -1.
int take_one(std::uint32_t site) {
  Thread& t = *state().current;
  const KeptCall kept(t);
  if (!look_for_signals(t, site)) return -1;
  t.signals.taken = true;
  disturb(t);
  return take_interruption(site);
}

// A call that does not wait does not fail, but for those that wait without a guard: they have begun before.
bool may_fail(const Operation& o, bool may_wait) {
  if (holds(Claim::uninterrupted, o.kind)) return false;
  const bool outside = o.kind == INSPECT_OP_External || o.kind == INSPECT_OP_FileRead || o.kind == INSPECT_OP_FileOperation;
  return may_wait || !outside;
}

}  // namespace

void take_signals_before(const Operation& o, bool may_wait) {
  Thread& t = *state().current;
  if (state().execution.probing || t.atomic_depth || o.object == inspect_delivery_object(t.id)) return;
  if (o.kind == INSPECT_OP_SpinWait) return;  // the loop's last operation has looked
  if (t.signals.taken) {
    t.signals.taken = false;
    return;
  }
  const bool performs = o.kind != INSPECT_OP_None;  // else the call has no operation of its own
  if (performs && !holds(Claim::safe_in_handlers, o.kind)) note_unsafe_call(inspect_kind_text(o.kind));
  const bool never_restarts = t.signals.never_restarts || o.kind == INSPECT_OP_External;
  for (int flags; (flags = take_one(o.site)) >= 0;)
    if (performs && may_fail(o, may_wait) && (never_restarts || !(unsigned(flags) & SA_RESTART)))
      report_unsupported(format_message("a signal that may interrupt a call (EINTR): %s", inspect_kind_text(o.kind)), o.site);
  t.signals.taken = false;
}

Interruption interrupted_call(std::uint32_t site) {
  const int flags = take_one(site);
  state().current->signals.taken = flags < 0;
  if (flags < 0) return Interruption::none;
  return unsigned(flags) & SA_RESTART ? Interruption::restarts : Interruption::fails;
}

void note_access_of_handlers(std::uintptr_t address, std::size_t size, bool write, AccessBy by) {
  if (!signals_interrupt()) return;
  const InterruptingHandler h = interrupting_handler();
  if (h.number && address < h.outermost && address >= stack_bottom(current_thread())) {
    if (address >= h.innermost) note_unsafe_handler("uses a frame of a handler that it interrupts");
    return;
  }
  const bool in_parts = by == AccessBy::call || !is_one_instruction(address, size);
  note_handler_access(address, size, write, {h.number, h.repeats, in_parts});
}

void note_unsafe_handler(const char* what) {
  state().channel->unsafe_handlers = 1;
  char text[INSPECT_ASSUMPTION_BYTES] = "a handler that interrupts a thread ";
  strncat(text, what, sizeof text - strlen(text) - 1);
  assume_text(text);
}

void note_unsafe_call(const char* name) {
  if (!signals_interrupt() || !interrupting_handler().number) return;
  char text[INSPECT_ASSUMPTION_BYTES] = "calls what is not async-signal-safe: ";
  strncat(text, name, sizeof text - strlen(text) - 1);
  note_unsafe_handler(text);
}

void find_use_of_signals(const char* name) {
  State& s = state();
  for (const char* sends : {"pthread_kill", "tgkill", "kill", "killpg"}) s.uses.sends_signals |= !strcmp(name, sends);
  for (const char* handles : {"sigaction", "signal", "bsd_signal", "sysv_signal", "__sysv_signal", "sigset"})
    s.uses.handles_signals |= !strcmp(name, handles);
}

}  // namespace inspect::runtime
