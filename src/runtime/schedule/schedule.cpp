#include "runtime/schedule/schedule.hpp"

#include <string.h>

#include "hooks/sampling.h"
#include "runtime/platform/fiber.hpp"
#include "runtime/platform/mutation.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/spin_probe.hpp"
#include "runtime/schedule/value_wait.hpp"
#include "runtime/schedule/virtual_time.hpp"
#include "runtime/states/identity.hpp"
#include "runtime/states/memory_hash.hpp"
#include "runtime/states/symmetric_pairs.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/checkpoints.hpp"
#include "runtime/upcalls/ends.hpp"
#include "runtime/upcalls/interruption.hpp"
#include "runtime/upcalls/spin.hpp"

namespace inspect::runtime {
namespace {

constexpr unsigned kFairRun = 50;  // consecutive steps after which the default policy tries another thread first

constexpr std::uint32_t kSpinLimit = 300;  // reads in a row of values that were there before
constexpr std::uint32_t kWaitLimit =
    600;  // and between them operations on the same few objects, whose values are not looked at

bool logged(const State& s) { return !s.standalone && s.position >= s.known_length; }

// Enabled alternatives of every guarded thread; logs those of multi-alternative operations that changed.
void refresh_guards(State& s) {
  s.guarded.for_each([&](unsigned i) {
    Thread& t = s.threads[i];
    const Mask now = t.guard(t);
    if (now.empty())
      s.enabled.remove(i);
    else
      s.enabled.add(i);
    if (now == t.alternatives) return;
    t.alternatives = now;
    if (now.empty()) return;
    if (inspect_record* r = append_record(INSPECT_RECORD_ALTERNATIVES, std::uint8_t(i), t.pending)) {
      r->value = now.words[0];
      r->value2 = now.words[1];
    }
  });
}

void log_state(const Thread& t) {
  if (!(state().request->flags & INSPECT_REQUEST_STATES)) {
    log_symmetric_pairs();
    return;
  }
  const Identity id = identity_of_state();
  if (inspect_record* r = append_record(INSPECT_RECORD_STATE, t.id, t.pending)) {
    r->value = id.low;
    r->value2 = id.high;
  }
  if (state().symmetric_pairs && (id.low | id.high)) log_symmetric_pairs();
}

// The state after a step is complete: the thread's next operation and who is enabled.
void close_step(State& s, const Thread& t) {
  refresh_guards(s);
  if (s.enabled.empty() && s.ending.begun && !s.ending.finishing) begin_process_end(s);
  if (inspect_record* r = append_record(INSPECT_RECORD_PENDING, t.id, t.pending)) {
    r->count = t.choices;
    r->value = s.enabled.words[0];
    r->value2 = s.enabled.words[1];
  }
  if (s.states && s.logging) log_state(t);
}

bool alternative_enabled(const Thread& t, unsigned alternative) {
  if (t.pending.kind == INSPECT_OP_Choice) return alternative < t.choices;
  return alternative < 128 && t.alternatives.has(alternative);
}

bool asleep(const State& s, unsigned thread, unsigned alternative) {
  if (!s.sleep_count) return false;
  for (unsigned i = 0; i < s.sleep_count; ++i)
    if (!s.sleep[i].awake && s.sleep[i].thread == thread && s.sleep[i].alternative == alternative) return true;
  return false;
}

// Smallest enabled alternative of t that does not sleep; -1 if none.
int first_alternative(const State& s, const Thread& t) {
  if (t.pending.kind == INSPECT_OP_Choice) {
    for (unsigned a = 0; a < t.choices; ++a)
      if (!asleep(s, t.id, a)) return int(a);
    return -1;
  }
  for (Mask m = t.alternatives; !m.empty();) {
    const unsigned a = m.first();
    if (!asleep(s, t.id, a)) return int(a);
    m.remove(a);
  }
  return -1;
}

struct Decision {
  Thread* thread;
  unsigned alternative;
};

Decision follow_prefix(State& s) {
  const inspect_choice c = s.prefix[s.position];
  Thread& t = s.threads[c.thread];
  if (c.thread < INSPECT_MAX_THREADS && c.alternative == INSPECT_ANY_ALTERNATIVE) {
    if (!s.alive.has(c.thread) || !s.enabled.has(c.thread)) end_execution(INSPECT_END_REDUNDANT, 0, 0);
    return {&t, t.pending.kind == INSPECT_OP_Choice ? 0 : t.alternatives.first()};
  }
  if (c.thread < INSPECT_MAX_THREADS && s.alive.has(c.thread) && s.enabled.has(c.thread) &&
      alternative_enabled(t, c.alternative))
    return {&t, c.alternative};
  // A schedule of a search that takes turns in vain.
  const bool shown = s.request->flags & INSPECT_REQUEST_VERBOSE;
  if (shown && c.thread < INSPECT_MAX_THREADS && s.alive.has(c.thread) && waits_for_value(s, t)) return {&t, 0};
  format_message("step %lu of the schedule, thread %u alternative %u, cannot be taken here", s.position + 1, unsigned(c.thread),
                 unsigned(c.alternative));
  end_execution(INSPECT_END_DIVERGED, std::uint32_t(s.position), 0);
}

// Calls f(alternative) for each enabled alternative of t that does not sleep.
template <class F>
void for_each_awake(const State& s, const Thread& t, F&& f) {
  const auto each = [&](unsigned a) {
    if (!asleep(s, t.id, a)) f(a);
  };
  if (t.pending.kind == INSPECT_OP_Choice)
    for (unsigned a = 0; a < t.choices; ++a) each(a);
  else
    t.alternatives.for_each(each);
}

// Uniform over the enabled transitions.
Decision pick_random(State& s) {
  unsigned awake = 0;
  s.enabled.for_each([&](unsigned i) { for_each_awake(s, s.threads[i], [&](unsigned) { ++awake; }); });
  Decision d{nullptr, 0};
  if (!awake) return d;
  unsigned skip = unsigned(inspect_draw(s.request->seed, INSPECT_DRAW_STEP, s.position) % awake);
  s.enabled.for_each([&](unsigned i) {
    for_each_awake(s, s.threads[i], [&](unsigned a) {
      if (skip-- == 0) d = {&s.threads[i], a};
    });
  });
  return d;
}

std::int64_t priority(const State& s, const Thread& t) {
  return t.priority ? t.priority : inspect_initial_priority(s.request->seed, t.id);
}

Thread* highest_priority(State& s) {
  Thread* best = nullptr;
  s.enabled.for_each([&](unsigned i) {
    Thread& t = s.threads[i];
    if (first_alternative(s, t) >= 0 && (!best || priority(s, t) > priority(s, *best))) best = &t;
  });
  return best;
}

Decision pick_by_priority(State& s) {
  Thread* t = highest_priority(s);
  if (!t) return {nullptr, 0};
  if (t->spin.count > kFairRun) {  // else it would starve the thread that it waits for
    t->priority = inspect_yielded_priority(s.position);
    t = highest_priority(s);
  }
  const auto* sleepers = reinterpret_cast<const inspect_sleeper*>(s.prefix + s.prefix_length);
  const auto* changes = reinterpret_cast<const std::uint32_t*>(sleepers + s.request->sleep_length);
  for (unsigned i = 0; i < s.request->change_length; ++i) {
    if (changes[i] != s.position + 1) continue;
    t->priority = inspect_lowered_priority(i);
    t = highest_priority(s);
  }
  unsigned awake = 0;
  for_each_awake(s, *t, [&](unsigned) { ++awake; });
  unsigned skip = unsigned(inspect_draw(s.request->seed, INSPECT_DRAW_ALTERNATIVE, s.position) % awake);
  Decision d{t, 0};
  for_each_awake(s, *t, [&](unsigned a) {
    if (skip-- == 0) d.alternative = a;
  });
  return d;
}

// Keeps the running thread while it is enabled, but not for ever (unless asked to): a thread that spins must not starve the one
// it waits for.
Decision keep_running(State& s) {
  const unsigned self = s.starts_first ? s.runner : s.current ? s.current->id : 0;
  if ((s.run_length < kFairRun || s.request->policy == INSPECT_POLICY_STAY) && s.enabled.has(self)) {
    const int a = first_alternative(s, s.threads[self]);
    if (a >= 0) return {&s.threads[self], unsigned(a)};
  }
  Decision best{nullptr, 0};
  const auto consider = [&](unsigned i) {
    if (best.thread || !s.enabled.has(i)) return;
    const int a = first_alternative(s, s.threads[i]);
    if (a >= 0) best = {&s.threads[i], unsigned(a)};
  };
  if (s.run_length >= kFairRun)
    for (unsigned i = self + 1; i < s.thread_limit; ++i) consider(i);
  for (unsigned i = 0; i < s.thread_limit; ++i) consider(i);
  return best;
}

// The label a sleeping transition had: its thread's pending operation with the outcome seen when it was explored.
void install_sleep_set(State& s) {
  const auto* sleepers = reinterpret_cast<const inspect_sleeper*>(s.prefix + s.prefix_length);
  s.sleep_count = s.asleep_count = 0;
  for (unsigned i = 0; i < s.request->sleep_length && i < kMaxSleepers; ++i) {
    Sleeper& to = s.sleep[s.sleep_count++];
    to.thread = sleepers[i].thread;
    to.alternative = sleepers[i].alternative;
    to.awake = false;
    to.operation = s.threads[to.thread].pending;
    to.operation.flags = sleepers[i].flags;
    if (sleepers[i].kind) to.operation.kind = sleepers[i].kind;
  }
  s.asleep_count = s.sleep_count;
}

// A thread that was created and has not started yet.
Decision start(State& s) {
  Decision d{nullptr, 0};
  s.enabled.for_each([&](unsigned i) {
    if (!d.thread && s.threads[i].pending.kind == INSPECT_OP_ThreadStart && !asleep(s, i, 0)) d.thread = &s.threads[i];
  });
  return d;
}

Decision by_policy(State& s) {
  if (s.starts_first)
    if (const Decision d = start(s); d.thread) return d;
  switch (s.request->policy) {
    case INSPECT_POLICY_RANDOM:
      return pick_random(s);
    case INSPECT_POLICY_PCT:
      return pick_by_priority(s);
    default:
      return keep_running(s);
  }
}

void check_known_hash(State& s) {
  if (s.request->known_hash && s.hash != s.request->known_hash) {
    format_message("the first %lu steps of the schedule did not repeat their operations", s.known_length);
    end_execution(INSPECT_END_DIVERGED, std::uint32_t(s.known_length), 0);
  }
}

Decision decide(State& s) {
  if (s.position >= s.checkpoint_at && at_possible_checkpoint() && s.position == s.known_length) [[unlikely]]
    check_known_hash(s);
  if (s.enabled.empty()) {
    end_without_verdict(s);
    if (Thread* const probed = next_probe(s)) return {probed, 0};
    end_outside(s);
    end_deadlocked(s);
  }
  if (s.position < s.prefix_length) return follow_prefix(s);
  if (s.position == s.prefix_length) install_sleep_set(s);
  if (s.position >= s.max_steps) {
    report_limit(INSPECT_LIMIT_STEPS, "the step limit of one execution was reached", s.current->pending.site);
  }
  const Decision d = by_policy(s);
  if (!d.thread) end_execution(INSPECT_END_REDUNDANT, 0, 0);
  return d;
}

void wake_sleepers(State& s, const Operation& o) {
  if (!s.asleep_count || mutated(Mutation::sleepers_stay_asleep)) return;
  const std::uint8_t self = s.current->id;
  for (unsigned i = 0; i < s.sleep_count; ++i) {
    Sleeper& sleeper = s.sleep[i];
    if (sleeper.awake) continue;
    if (sleeper.thread != self && o.kind != INSPECT_OP_AtomicSection && !inspect_dependent(&o, &sleeper.operation)) continue;
    sleeper.awake = true;
    --s.asleep_count;
  }
}

void switch_to(State& s, const Decision& d) {
  d.thread->chosen = std::uint16_t(d.alternative);
  s.guarded.remove(d.thread->id);
  if (d.thread->pending.kind != INSPECT_OP_ThreadStart) s.runner = d.thread->id;
  watch_loops(s, *d.thread);
  if (s.current == d.thread) {
    ++s.run_length;
    return;
  }
  s.run_length = 0;
  switch_fiber(*s.current, *d.thread);
}

// Reserves the step's record so that accesses, ranges and new threads logged while it is performed follow it.
void open_step(State& s) {
  s.logging = logged(s);
  ++s.opened;
  s.step = append_record(INSPECT_RECORD_STEP, s.current->id, s.current->pending);
  if (s.step) s.step->alternative = s.current->chosen;
  if (s.step && s.log_level == kLogAll) record_stack();
  if (s.step && (accesses_are_left_out() || s.may_cancel || signals_interrupt()))
    append_record(INSPECT_RECORD_UNSEEN, s.current->id, s.current->pending);
}

// Cuts an execution in which a thread only waits, turn after turn, for another to change something: each further turn would be
// one more schedule, without end.
void watch_spinning(State& s, Thread& t, const Operation& o, std::uint64_t read) {
  SpinWatch& spin = t.spin;
  if (o.kind == INSPECT_OP_CondWake) return;  // of a wait that was counted when it timed out, or that a signal ended
  const bool reads =
      inspect_family_of(o.kind) != INSPECT_FAMILY_Local &&
      !(o.flags & INSPECT_FLAG_RESULT_UNUSED) &&  // what such an operation finds depends on the order of those that commute
      (inspect_effect_of(o.kind) == INSPECT_EFFECT_Read || (o.flags & (INSPECT_FLAG_FAILED | INSPECT_FLAG_UNCHANGED)));
  unsigned i = 0;
  while (i < SpinWatch::kObjects && spin.objects[i] != o.object) ++i;
  const bool known = i < SpinWatch::kObjects;
  if (!known) i = spin.next++ % SpinWatch::kObjects;
  const bool same = known && (!reads || spin.values[i] == read);
  spin.objects[i] = o.object;
  if (reads) spin.values[i] = read;
  spin.fresh |= !same;
  spin.count = reads && same ? spin.count + 1 : 0;
  spin.waits = same ? spin.waits + reads : 0;
  if (!same) t.loop_change = {};
  const bool waits = spin.waits > kWaitLimit && s.alive.count() > 1;
  if ((spin.count > kSpinLimit || waits) && !s.standalone) give_up_loop(t, o.site);
}

}  // namespace

inspect_record* append_record(inspect_record_type type, std::uint8_t thread, const Operation& o) {
  State& s = state();
  if (!s.logging) return nullptr;
  if (s.cursor >= s.log_limit) report_limit(INSPECT_LIMIT_LOG, "the log of one execution is full", o.site);
  inspect_record* r = s.cursor++;
  r->type = type;
  r->thread = thread;
  r->alternative = 0;
  r->count = 1;
  r->operation = o;
  r->value = r->value2 = 0;
  return r;
}

unsigned visible(const Operation& o, Guard guard, std::uint32_t choices) {
  State& s = state();
  Thread& t = *s.current;
  take_disturbance(t);
  if (t.cancel_asynchronous && s.may_cancel) cancel_before(o);
  if (signals_interrupt()) take_signals_before(o, guard != nullptr);
  if (t.atomic_depth) return section_operation(o, guard);
  if (s.probing) return probe_visible(s, t, o, guard);
  t.pending = o;
  t.guard = guard;
  t.choices = choices;
  if (guard) {
    s.guarded.add(t.id);
    t.alternatives = {};
  } else {
    t.alternatives = Mask::one(0);
    s.enabled.add(t.id);
  }
  if (s.states) {
    stop_frames(t);
    leave_interval(t);
    if (s.symmetric_pairs) note_sync_object(o);
  }
  close_step(s, t);
  t.waited |= !s.enabled.has(t.id);
  switch_to(s, decide(s));
  if (s.states) {
    resume_frames(t);
    enter_interval(t);
  }
  if (!s.probing) open_step(s);
  return t.chosen;
}

namespace {
// What an operation changes, it changes in the objects that it names; their models know their sizes.
void note_operation(const Operation& o) {
  constexpr std::size_t kLargestObject = 64;
  if (mutated(Mutation::operations_not_noted)) return;
  const inspect_family family = inspect_family_of(o.kind);
  if (family == INSPECT_FAMILY_Thread || family == INSPECT_FAMILY_Process) return;  // no memory of the program's
  if (o.kind == INSPECT_OP_PlainRead || o.kind == INSPECT_OP_PlainWrite) return;    // access() does
  if (o.object) note_change(o.object, o.size ? o.size : kLargestObject);
  if (o.object2) note_change(o.object2, o.size2 ? o.size2 : kLargestObject);
}
}  // namespace

void executed_as(const Operation& o, std::uint64_t read, std::uint64_t written) {
  State& s = state();
  Thread& t = *s.current;
  s.touching = 0;
  t.waited |= o.kind == INSPECT_OP_ThreadJoin;
  t.looked &= o.kind == INSPECT_OP_FileRead || o.kind == INSPECT_OP_FileOperation;  // of the same call
  if (s.states) note_operation(o);
  if (t.atomic_depth) return;
  if (s.step) {
    s.step->operation = o;
    s.step->value = read;
    s.step->value2 = written;
  }
  s.hash = inspect_step_hash(s.hash, t.id, t.chosen, &o);
  join_object_clocks(o);
  note_effect(s, t, o, read, written);
  watch_spinning(s, t, o, read);
  if (++s.position > s.prefix_length) wake_sleepers(s, o);
  if (s.position == s.known_length) check_known_hash(s);
  block_failed_attempt(s, t, o);
}

void start_step() {
  State& s = state();
  if (s.states) resume_frames(*s.current);
  open_step(s);
}

void begin_first_step(Thread& main) {
  State& s = state();
  s.current = &main;
  const Decision d = decide(s);
  d.thread->chosen = std::uint16_t(d.alternative);
  watch_loops(s, *d.thread);
  enter_fiber_from_host(*d.thread);
}

void leave_thread() {
  State& s = state();
  Thread& t = *s.current;
  t.pending = {};
  close_step(s, t);
  switch_to(s, decide(s));
  __builtin_unreachable();
}

void executed(std::uint8_t flags, std::uint64_t read, std::uint64_t written) {
  Operation o = state().current->pending;
  o.flags |= flags;
  executed_as(o, read, written);
}

}  // namespace inspect::runtime
