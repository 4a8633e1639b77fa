#include "runtime/schedule/policy.hpp"

#include "hooks/sampling.h"
#include "runtime/schedule/loop_state.hpp"
#include "runtime/schedule/sleep_set.hpp"

namespace inspect::runtime {
namespace {

constexpr unsigned kFairRun = 50;  // consecutive steps after which the default policy tries another thread first

// Smallest enabled alternative of t that does not sleep; -1 if none.
int first_alternative(const Thread& t) {
  if (t.pending.kind == INSPECT_OP_Choice) {
    for (unsigned a = 0; a < t.choices; ++a)
      if (!is_asleep(t.id, a)) return int(a);
    return -1;
  }
  for (Mask m = t.alternatives; !m.empty();) {
    const unsigned a = m.first();
    if (!is_asleep(t.id, a)) return int(a);
    m.remove(a);
  }
  return -1;
}

// Calls f(alternative) for each enabled alternative of t that does not sleep.
template <class F>
void for_each_awake(const Thread& t, F&& f) {
  const auto each = [&](unsigned a) {
    if (!is_asleep(t.id, a)) f(a);
  };
  if (t.pending.kind == INSPECT_OP_Choice)
    for (unsigned a = 0; a < t.choices; ++a) each(a);
  else
    t.alternatives.for_each(each);
}

// Uniform over the enabled transitions.
Decision pick_random(State& s) {
  unsigned awake = 0;
  s.execution.enabled.for_each([&](unsigned i) { for_each_awake(s.threads[i], [&](unsigned) { ++awake; }); });
  Decision d{nullptr, 0};
  if (!awake) return d;
  unsigned skip = unsigned(inspect_draw(s.request.message->seed, INSPECT_DRAW_STEP, s.execution.position) % awake);
  s.execution.enabled.for_each([&](unsigned i) {
    for_each_awake(s.threads[i], [&](unsigned a) {
      if (skip-- == 0) d = {&s.threads[i], a};
    });
  });
  return d;
}

std::int64_t priority(const State& s, const Thread& t) {
  return t.priority ? t.priority : inspect_initial_priority(s.request.message->seed, t.id);
}

Thread* highest_priority(State& s) {
  Thread* best = nullptr;
  s.execution.enabled.for_each([&](unsigned i) {
    Thread& t = s.threads[i];
    if (first_alternative(t) >= 0 && (!best || priority(s, t) > priority(s, *best))) best = &t;
  });
  return best;
}

Decision pick_by_priority(State& s) {
  Thread* t = highest_priority(s);
  if (!t) return {nullptr, 0};
  if (loop_watch(*t).spin.count > kFairRun) {  // else it would starve the thread that it waits for
    t->priority = inspect_yielded_priority(s.execution.position);
    t = highest_priority(s);
  }
  const auto* sleepers = reinterpret_cast<const inspect_sleeper*>(s.request.prefix + s.request.prefix_length);
  const auto* changes = reinterpret_cast<const std::uint32_t*>(sleepers + s.request.message->sleep_length);
  for (unsigned i = 0; i < s.request.message->change_length; ++i) {
    if (changes[i] != s.execution.position + 1) continue;
    t->priority = inspect_lowered_priority(i);
    t = highest_priority(s);
  }
  unsigned awake = 0;
  for_each_awake(*t, [&](unsigned) { ++awake; });
  unsigned skip = unsigned(inspect_draw(s.request.message->seed, INSPECT_DRAW_ALTERNATIVE, s.execution.position) % awake);
  Decision d{t, 0};
  for_each_awake(*t, [&](unsigned a) {
    if (skip-- == 0) d.alternative = a;
  });
  return d;
}

// Keeps the running thread while it is enabled, but not for ever (unless asked to): a thread that spins must not starve the one
// it waits for.
Decision keep_running(State& s) {
  const unsigned self = s.request.starts_first ? s.execution.runner : s.current ? s.current->id : 0;
  if ((s.execution.run_length < kFairRun || s.request.message->policy == INSPECT_POLICY_STAY) &&
      s.execution.enabled.has(self)) {
    const int a = first_alternative(s.threads[self]);
    if (a >= 0) return {&s.threads[self], unsigned(a)};
  }
  Decision best{nullptr, 0};
  const auto consider = [&](unsigned i) {
    if (best.thread || !s.execution.enabled.has(i)) return;
    const int a = first_alternative(s.threads[i]);
    if (a >= 0) best = {&s.threads[i], unsigned(a)};
  };
  if (s.execution.run_length >= kFairRun)
    for (unsigned i = self + 1; i < s.execution.thread_limit; ++i) consider(i);
  for (unsigned i = 0; i < s.execution.thread_limit; ++i) consider(i);
  return best;
}

// A thread that was created and has not started yet.
Decision start(State& s) {
  Decision d{nullptr, 0};
  s.execution.enabled.for_each([&](unsigned i) {
    if (!d.thread && s.threads[i].pending.kind == INSPECT_OP_ThreadStart && !is_asleep(i, 0)) d.thread = &s.threads[i];
  });
  return d;
}

}  // namespace

Decision choose_by_policy(State& s) {
  // What a search that leaves others out takes first.
  for (Mask m = s.execution.safe; !m.empty(); m.remove(m.first())) {
    const unsigned i = m.first();
    const int a = s.execution.enabled.has(i) ? first_alternative(s.threads[i]) : -1;
    if (a >= 0) return {&s.threads[i], unsigned(a)};
  }
  if (s.request.starts_first)
    if (const Decision d = start(s); d.thread) return d;
  switch (s.request.message->policy) {
    case INSPECT_POLICY_RANDOM:
      return pick_random(s);
    case INSPECT_POLICY_PCT:
      return pick_by_priority(s);
    default:
      return keep_running(s);
  }
}

}  // namespace inspect::runtime
