#include "runtime/schedule/schedule.hpp"

#include <string.h>

#include "hooks/visited.h"
#include "runtime/platform/fiber.hpp"
#include "runtime/platform/mutation.hpp"
#include "runtime/platform/os_threads.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/policy.hpp"
#include "runtime/schedule/sleep_set.hpp"
#include "runtime/schedule/spin_probe.hpp"
#include "runtime/schedule/spin_watch.hpp"
#include "runtime/schedule/value_wait.hpp"
#include "runtime/schedule/virtual_time.hpp"
#include "runtime/states/conditions.hpp"
#include "runtime/states/cycle.hpp"
#include "runtime/states/identity.hpp"
#include "runtime/states/memory_hash.hpp"
#include "runtime/states/state_words.hpp"
#include "runtime/states/symmetric_pairs.hpp"
#include "runtime/states/sync_objects.hpp"
#include "runtime/states/thread_order.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/checkpoints.hpp"
#include "runtime/upcalls/ends.hpp"
#include "runtime/upcalls/interruption.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/spin.hpp"

namespace inspect::runtime {
namespace {

bool logged(const State& s) { return !s.standalone && s.execution.position >= s.request.known_length; }

// Enabled alternatives of every guarded thread; logs those of multi-alternative operations that changed.
void refresh_guards(State& s) {
  s.execution.guarded.for_each([&](unsigned i) {
    Thread& t = s.threads[i];
    const Mask now = t.guard(t);
    if (now.empty())
      s.execution.enabled.remove(i);
    else
      s.execution.enabled.add(i);
    if (now == t.alternatives) return;
    t.alternatives = now;
    if (now.empty()) return;
    if (inspect_record* r = append_record(INSPECT_RECORD_ALTERNATIVES, std::uint8_t(i), t.pending)) {
      r->value = now.words[0];
      r->value2 = now.words[1];
    }
  });
}

constexpr std::uint64_t kLongestVisit = 2048;  // states behind the prefix, where the search then looks at its limits

void end_if_visited(const Identity& id) {
  const State& s = state();
  if (!(s.request.message->flags & INSPECT_REQUEST_VISITED) || s.execution.probing) return;
  const bool visited = (id.low | id.high) && inspect_visit(s.channel, s.request.message->visited, id.low, id.high);
  const std::uint64_t position = s.execution.position, prefix = s.request.prefix_length;
  if ((visited && position >= prefix) || position >= prefix + kLongestVisit) end_execution(INSPECT_END_REDUNDANT, 0, 0);
}

void log_state_words(const Thread& t) {
  const StateWords& all = kept_state_words();
  for (std::uint32_t at = 0; at < all.count(); at += INSPECT_WORDS_IN_RECORD) {
    inspect_record* const r = append_record(INSPECT_RECORD_STATE_WORDS, t.id, {});
    if (!r) return;
    const std::uint32_t left = all.count() - at;
    r->count = left < INSPECT_WORDS_IN_RECORD ? left : INSPECT_WORDS_IN_RECORD;
    memcpy(inspect_words_of(r), all.words() + at, r->count * sizeof(std::uint64_t));
  }
}

// touched: conditions_touched().
void log_state(const Thread& t, bool touched) {
  if (!(state().request.message->flags & INSPECT_REQUEST_STATES)) {
    log_symmetric_pairs();
    return;
  }
  const Identity id = identity_of_state();
  if (inspect_record* r = append_record(INSPECT_RECORD_STATE, t.id, t.pending)) {
    r->value = id.low;
    r->value2 = id.high;
    r->alternative = id.why;
    r->operation = {};
    r->operation.object = id.safe.words[0];
    r->operation.object2 = id.safe.words[1];
    r->operation.size = id.allocations;
    r->operation.size2 = (id.permuted ? INSPECT_STATE_PERMUTED : 0) | (touched ? INSPECT_STATE_CONDITIONS_TOUCHED : 0);
    r->valuation = valuation(state());
  }
  if (state_words_are_asked_for() && (id.low | id.high)) log_state_words(t);
  state().execution.safe = id.safe;
  if (state().request.symmetric_pairs && (id.low | id.high)) log_symmetric_pairs();
  end_if_visited(id);
}

// The state after a step is complete: the thread's next operation and who is enabled.
void close_step(State& s, const Thread& t) {
  refresh_guards(s);
  if (s.execution.enabled.empty() && s.execution.ending.begun && !s.execution.ending.finishing) begin_process_end(s);
  if (inspect_record* r = append_record(INSPECT_RECORD_PENDING, t.id, t.pending)) {
    r->count = t.choices;
    r->value = s.execution.enabled.words[0];
    r->value2 = s.execution.enabled.words[1];
  }
  watch_cycle(s);
  if (!s.request.states) return;
  const bool touched = s.request.message->flags & INSPECT_REQUEST_INDEPENDENCE && conditions_touched(s);
  if (s.log.active) log_state(t, touched);
}

bool alternative_enabled(const Thread& t, unsigned alternative) {
  if (t.pending.kind == INSPECT_OP_Choice) return alternative < t.choices;
  return alternative < 128 && t.alternatives.has(alternative);
}

Decision follow_prefix(State& s) {
  const inspect_choice c = s.request.prefix[s.execution.position];
  Thread& t = s.threads[c.thread];
  if (c.thread < INSPECT_MAX_THREADS && c.alternative == INSPECT_ANY_ALTERNATIVE) {
    if (!s.execution.alive.has(c.thread) || !s.execution.enabled.has(c.thread)) end_execution(INSPECT_END_REDUNDANT, 0, 0);
    return {&t, t.pending.kind == INSPECT_OP_Choice ? 0 : t.alternatives.first()};
  }
  if (c.thread < INSPECT_MAX_THREADS && s.execution.alive.has(c.thread) && s.execution.enabled.has(c.thread) &&
      alternative_enabled(t, c.alternative))
    return {&t, c.alternative};
  // A schedule of a search that takes turns in vain.
  const bool shown = s.request.message->flags & INSPECT_REQUEST_VERBOSE;
  if (shown && c.thread < INSPECT_MAX_THREADS && s.execution.alive.has(c.thread) && waits_for_value(s, t)) return {&t, 0};
  format_message("step %lu of the schedule, thread %u alternative %u, cannot be taken here", s.execution.position + 1,
                 unsigned(c.thread), unsigned(c.alternative));
  end_execution(INSPECT_END_DIVERGED, std::uint32_t(s.execution.position), 0);
}

void check_known_hash(State& s) {
  if (s.request.message->known_hash && s.execution.hash != s.request.message->known_hash) {
    format_message("the first %lu steps of the schedule did not repeat their operations", s.request.known_length);
    end_execution(INSPECT_END_DIVERGED, std::uint32_t(s.request.known_length), 0);
  }
}

Decision decide(State& s) {
  if (s.execution.position >= s.request.checkpoint_at && at_possible_checkpoint() &&
      s.execution.position == s.request.known_length) [[unlikely]]
    check_known_hash(s);
  if (s.execution.enabled.empty()) {
    end_without_verdict(s);
    if (Thread* const probed = next_probe(s)) return {probed, 0};
    end_outside(s);
    end_deadlocked(s);
  }
  if (s.execution.position < s.request.prefix_length) return follow_prefix(s);
  if (s.execution.position == s.request.prefix_length) install_sleep_set(s.request);
  if (s.execution.position >= s.request.max_steps) {
    report_limit(INSPECT_LIMIT_STEPS, "the step limit of one execution was reached", s.current->pending.site);
  }
  const Decision d = choose_by_policy(s);
  if (!d.thread) end_execution(INSPECT_END_REDUNDANT, 0, 0);
  return d;
}

void switch_to(State& s, const Decision& d) {
  d.thread->chosen = std::uint16_t(d.alternative);
  s.execution.guarded.remove(d.thread->id);
  if (d.thread->pending.kind != INSPECT_OP_ThreadStart) s.execution.runner = d.thread->id;
  watch_loops(s, *d.thread);
  if (s.current == d.thread) {
    ++s.execution.run_length;
    return;
  }
  s.execution.run_length = 0;
  switch_fiber(*s.current, *d.thread);
}

// Reserves the step's record so that accesses, ranges and new threads logged while it is performed follow it.
void open_step(State& s) {
  s.log.active = logged(s);
  ++s.execution.opened;
  s.log.step = append_record(INSPECT_RECORD_STEP, s.current->id, s.current->pending);
  if (s.log.step) s.log.step->alternative = s.current->chosen;
  if (s.log.step && s.log_level == kLogAll) {
    record_stack();
    if (s.os_threads) debugger_step(std::uint32_t(s.execution.position + 1));
  }
  if (s.log.step && (accesses_are_left_out() || s.uses.may_cancel || signals_interrupt()))
    append_record(INSPECT_RECORD_UNSEEN, s.current->id, s.current->pending);
}

}  // namespace

inspect_record* append_record(inspect_record_type type, std::uint8_t thread, const Operation& o) {
  State& s = state();
  if (!s.log.active) return nullptr;
  if (s.log.cursor >= s.log.limit) report_limit(INSPECT_LIMIT_LOG, "the log of one execution is full", o.site);
  inspect_record* r = s.log.cursor++;
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
  if (t.cancel.asynchronous && s.uses.may_cancel) cancel_before(o);
  if (signals_interrupt()) take_signals_before(o, guard != nullptr);
  if (t.atomic_depth) return section_operation(o, guard);
  if (s.execution.probing) return probe_visible(s, t, o, guard);
  t.pending = o;
  t.guard = guard;
  t.choices = choices;
  if (guard) {
    s.execution.guarded.add(t.id);
    t.alternatives = {};
  } else {
    t.alternatives = Mask::one(0);
    s.execution.enabled.add(t.id);
  }
  if (s.request.states) {
    stop_frames(t);
    leave_interval(t);
    note_sync_object(o);
    note_thread_facts(t);
  }
  close_step(s, t);
  t.signals.waited |= !s.execution.enabled.has(t.id);
  switch_to(s, decide(s));
  if (s.request.states) {
    resume_frames(t);
    enter_interval(t);
  }
  if (!s.execution.probing) open_step(s);
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
  s.execution.touching = 0;
  t.signals.waited |= o.kind == INSPECT_OP_ThreadJoin;
  t.cancel.looked &= o.kind == INSPECT_OP_FileRead || o.kind == INSPECT_OP_FileOperation;  // of the same call
  if (s.request.states) note_operation(o);
  if (t.atomic_depth) return;
  if (s.log.step) {
    s.log.step->operation = o;
    s.log.step->value = read;
    s.log.step->value2 = written;
  }
  s.execution.hash = inspect_step_hash(s.execution.hash, t.id, t.chosen, &o);
  join_object_clocks(o);
  note_effect(s, t, o, read, written);
  watch_spinning(s, t, o, read);
  if (++s.execution.position > s.request.prefix_length) wake_sleepers(o);
  if (s.execution.position == s.request.known_length) check_known_hash(s);
  block_failed_attempt(s, t, o);
}

void start_step() {
  State& s = state();
  if (s.request.states) resume_frames(*s.current);
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
