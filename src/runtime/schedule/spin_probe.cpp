#include "runtime/schedule/spin_probe.hpp"

#include <string.h>

#include "hooks/meaning.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/platform/mutation.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/loop_state.hpp"
#include "runtime/schedule/value_wait.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/ends.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/spin.hpp"

namespace inspect::runtime {
namespace {

constexpr std::uint32_t kMostProbeSteps = 10'000;
constexpr unsigned kMostRounds = 4;

[[noreturn]] void report_livelock(State& s) {
  s.running = false;
  Mask waiting = s.execution.spinning;
  s.execution.alive.for_each([&](unsigned i) {
    if (waits_for_value(s, s.threads[i])) waiting.add(i);
  });
  const Thread& first = s.threads[waiting.first()];
  // Who was asked in the middle of its loop ends as one that is asked before it looks again, which is explored by itself.
  bool ends = false;
  s.execution.spinning.for_each([&](unsigned i) { ends |= is_cancelled_anywhere(s.threads[i]); });
  if (ends) end_execution(INSPECT_END_SPINNING, 0, 0);
  inspect_result& result = s.channel->results[s.request.slot];
  result.bug_thread = first.id;
  result.bug_site = waits_for_value(s, first) ? first.pending.site : loop_watch(first).site;
  record_waiting_stacks();
  format_message(
      "%s", waiting.count() == 1 ? "a loop waits for what no thread will change" : "loops wait for what no thread will change");
  end_execution(INSPECT_END_BUG, INSPECT_BUG_LIVELOCK, 0);
}

bool at_head(const Thread& t) { return t.pending.kind == INSPECT_OP_SpinWait; }

// Has one found a lock taken that it needs, perhaps after others have taken their turns?
bool waits_within_turn(const State& s) {
  bool waits = false;
  s.execution.spinning.for_each([&](unsigned i) { waits |= !at_head(s.threads[i]); });
  return waits && probes().paused;
}

[[noreturn]] void leave_open(State& s) {
  Thread& first = s.threads[s.execution.spinning.first()];
  loop_watch(first).change = {"what others may see for a moment", 0};
  give_up_loop(first, loop_watch(first).site);
}

// Turns were taken one after the other, but for locks that were offered. In another order one thread could see what the turn of
// another changes for a moment, and go on by that; or threads that wait for locks in the middle of a turn had come to wait for
// others.
bool is_open(const State& s) {
  bool open = waits_within_turn(s);
  s.execution.spinning.for_each([&](unsigned i) {
    const Thread& t = s.threads[i];
    open |= probes().offered && !at_head(t);
    s.execution.spinning.for_each(
        [&](unsigned k) { open |= k != i && (loop_watch(t).probe_touched & loop_watch(s.threads[k]).probe_tried); });
    s.execution.alive.for_each([&](unsigned k) {
      const Operation& o = s.threads[k].pending;
      open |= waits_for_value(s, s.threads[k]) && (loop_watch(t).probe_touched & object_bits(o.object, o.size));
    });
  });
  return open && !mutated(Mutation::probe_gives_nothing);
}

// No blocked thread would go on.
[[noreturn]] void judge(State& s) {
  s.execution.probing = false;
  end_outside(s);
  bool loops = false;
  s.execution.spinning.for_each([&](unsigned i) { loops |= !s.threads[i].lock_all_depth; });
  loops |= any_waits_for_value(s);
  if (loops && is_open(s)) leave_open(s);
  if (loops) report_livelock(s);
  end_deadlocked(s);
}

void begin_round(State& s) {
  ++probes().rounds;
  probes().paused = false;
  s.execution.spinning.for_each([&](unsigned i) {
    const Thread& t = s.threads[i];
    if (at_head(t) || (t.guard && !t.guard(t).empty())) s.execution.to_probe.add(i);
  });
}

void begin_probes(State& s) {
  s.execution.probing = true;
  s.log.active = s.recording = false;
  s.log.step = nullptr;
  s.execution.spinning.for_each(
      [&](unsigned i) { loop_watch(s.threads[i]).probe_touched = loop_watch(s.threads[i]).probe_tried = 0; });
  begin_round(s);
}

void prepare(State& s, Thread& t) {
  s.execution.to_probe.remove(t.id);
  loop_watch(t).spin.count = 1;  // many heads
  watch_loops(s, t);
}

void let_others_run(State& s) {
  Thread* const next = next_probe(s);
  if (!next) judge(s);
  if (next != s.current) switch_fiber(*s.current, *next);
}

// Has a thread that comes there in a probe gone on, though others may not see it? It has come to its end, or to that of what is
// of interest.
bool leaves_loops(unsigned kind) {
  return kind == INSPECT_OP_Choice || kind == INSPECT_OP_AssumeFailed || kind == INSPECT_OP_ProcessExit ||
         kind == INSPECT_OP_ThreadExit;
}

// Does it take a lock, or fail where others hold it?
bool tries_lock(unsigned kind) { return inspect_acquires(kind) && outcome_of(kind) == Outcome::Attempt; }

}  // namespace

std::uint64_t object_bits(std::uint64_t object, std::uint32_t size) {
  std::uint64_t bits = 0;
  for (std::uint64_t word = object / 8; word <= (object + (size ? size - 1 : 0)) / 8; ++word)
    bits |= 1ull << (word * 0x9E3779B97F4A7C15ull >> 58);
  return bits;
}

void offer_lock(State& s, Thread& t) {
  if (mutated(Mutation::probe_keeps_its_lock)) return;
  Thread* waiter = nullptr;
  s.execution.alive.for_each([&](unsigned i) {
    Thread& other = s.threads[i];
    if (&other == &t || !other.guard || at_head(other) || other.guard(other).empty()) return;
    if (!s.execution.spinning.has(i) || mutated(Mutation::offered_lock_is_progress))
      end_probe();  // what it does with the lock is no turn in vain
    s.execution.to_probe.add(i);
    if (!waiter) waiter = &other;
  });
  if (!waiter) return;
  probes().offered = true;
  s.execution.to_probe.add(t.id);
  prepare(s, *waiter);
  switch_fiber(t, *waiter);
}

void note_tried(Thread& t, const Operation& o) {
  if (o.kind == INSPECT_OP_AtomicSection)
    loop_watch(t).probe_tried = ~0ull;
  else if (tries_lock(o.kind))
    loop_watch(t).probe_tried |= object_bits(o.object, 1);
  else if (inspect_family_of(o.kind) == INSPECT_FAMILY_Memory && !(o.flags & INSPECT_FLAG_RESULT_UNUSED))
    loop_watch(t).probe_tried |= object_bits(o.object, o.size);
}

void end_turn(State& s, Thread& t) {
  t.pending = operation(INSPECT_OP_SpinWait, nullptr, 0, loop_watch(t).site);
  t.guard = nullptr;
  let_others_run(s);
}

Thread* next_probe(State& s) {
  if (!s.execution.probing) {
    if (s.execution.spinning.empty() && any_waits_for_value(s)) report_livelock(s);
    if (s.execution.spinning.empty()) return nullptr;
    begin_probes(s);
  }
  if (s.execution.to_probe.empty() && waits_within_turn(s) && probes().rounds < kMostRounds) begin_round(s);
  if (s.execution.to_probe.empty()) return nullptr;
  Thread& t = s.threads[s.execution.to_probe.first()];
  prepare(s, t);
  return &t;
}

unsigned probe_visible(State& s, Thread& t, const Operation& o, Guard guard) {
  if (leaves_loops(o.kind)) end_probe();
  if (++probes().steps > kMostProbeSteps) {
    if (probes().offered) leave_open(s);
    end_probe();  // alone, it would do as much in an execution
  }
  t.pending = o;
  t.guard = guard;
  t.chosen = 0;
  if (guard) {
    while (guard(t).empty()) {
      probes().paused = true;
      let_others_run(s);
    }
    const Mask enabled = guard(t);
    const bool times_out = o.kind == INSPECT_OP_CondWait && enabled.has(1);
    t.chosen = std::uint16_t(times_out ? 1 : enabled.first());
    t.guard = nullptr;
  }
  watch_loops(s, t);
  return t.chosen;
}

void end_probe() { end_execution(INSPECT_END_SPINNING, 0, 0); }

}  // namespace inspect::runtime
