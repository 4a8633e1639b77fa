#include "runtime/spin.hpp"

#include <string.h>

#include "runtime/access.hpp"
#include "runtime/ending.hpp"
#include "runtime/export.hpp"
#include "runtime/fiber.hpp"
#include "runtime/mutation.hpp"
#include "runtime/noise.hpp"
#include "runtime/schedule.hpp"

extern "C" {
INSPECT_NOISE std::int64_t inspect_loop_budget = INT64_MAX;
INSPECT_NOISE std::int64_t inspect_loop_entries = 0;
INSPECT_NOISE std::int64_t inspect_disturbed = 0;
}

namespace inspect::runtime {
namespace {

// Heads of loops looked at after a visible operation; when it read once more what it had read before; without any for long.
constexpr unsigned kFewVisits = 4, kManyVisits = 512, kLateVisits = 64;
constexpr unsigned kMostWords = sizeof(State::carried) / sizeof(std::uint64_t);
constexpr std::uint32_t kMostProbeSteps = 10'000;

bool on_own_stack(const Thread& t, std::uintptr_t address) {
  return address >= stack_bottom(t.id) && address < stack_top(t.id);
}

void change_balance(LoopVisit& visit, std::uint64_t lock, int by, bool& kept) {
  unsigned i = 0;
  while (i < visit.lock_count && visit.locks[i] != lock) ++i;
  if (i == sizeof visit.locks / sizeof *visit.locks) {
    kept = false;
    return;
  }
  if (i == visit.lock_count) {
    visit.locks[visit.lock_count++] = lock;
    visit.balances[i] = 0;
  }
  visit.balances[i] += by;
  if (visit.balances[i] < 0) state().turn_released_lock = true;
}

bool another_can_go_on(const State& s, const Thread& self) {
  bool any = false;
  s.alive.for_each([&](unsigned i) {
    const Thread& t = s.threads[i];
    any |= &t != &self && t.guard && !t.guard(t).empty();
  });
  return any;
}

void change_balances(State& s, Thread& t, std::uint64_t lock, int by) {
  if (s.probing && by < 0 && !mutated(Mutation::probe_keeps_its_lock) && another_can_go_on(s, t))
    end_probe();  // others get the lock during each turn
  bool kept = true;
  for (unsigned i = 0; i < t.loop_visit_count; ++i) change_balance(t.loop_visits[i], lock, by, kept);
  if (!kept) disturb(t);
}

// A failed attempt saw that another thread holds the lock: that thread's turn has been observed. If it is one of std::lock, it
// is itself a turn that need not be taken.
void observe_holder(State& s, const Thread& self, std::uint64_t lock) {
  if (self.lock_all_depth || mutated(Mutation::held_lock_unseen)) return;
  s.alive.for_each([&](unsigned i) {
    Thread& t = s.threads[i];
    if (&t == &self) return;
    if (t.lock_all_depth) assume_text("std::lock takes its locks all at once: nobody finds just some of them taken");
    for (unsigned v = 0; v < t.loop_visit_count; ++v)
      for (unsigned k = 0; k < t.loop_visits[v].lock_count; ++k)
        if (t.loop_visits[v].locks[k] == lock) return disturb(t);
  });
}

// A turn that began with the lock held has given it away, and this thread had it meanwhile: without that turn it could not
// have.
void use_release(State& s, const Thread& self, std::uint64_t lock) {
  if (mutated(Mutation::handed_over_lock_unseen)) return;
  s.alive.for_each([&](unsigned i) {
    Thread& t = s.threads[i];
    if (&t == &self) return;
    for (unsigned v = 0; v < t.loop_visit_count; ++v)
      for (unsigned k = 0; k < t.loop_visits[v].lock_count; ++k)
        if (t.loop_visits[v].locks[k] == lock && t.loop_visits[v].balances[k] < 0) return disturb(t);
  });
}

bool is_lock_attempt(const Operation& o) {
  const inspect_family family = inspect_family_of(o.kind);
  return family == INSPECT_FAMILY_Mutex || family == INSPECT_FAMILY_RwLock;
}

// Did nothing remain of what the thread has done since, and was nothing different in between? Of writes that change something
// and change it back one has found what is not there now: others could have seen it.
bool undone(const LoopVisit& visit) {
  for (unsigned i = 0; i < visit.lock_count; ++i)
    if (visit.balances[i] && !mutated(Mutation::balances_not_compared)) return false;
  for (unsigned i = 0; i < visit.write_count; ++i)
    if (memcmp(visit.writes[i].before, reinterpret_cast<const void*>(visit.writes[i].address), visit.writes[i].size))
      return false;
  return true;
}

bool same_state(const State& s, const LoopVisit& visit, std::uint64_t entry, std::uintptr_t live_from) {
  return visit.entry == entry && visit.live_from == live_from && visit.words == s.carried_words &&
         (mutated(Mutation::carried_not_compared) || !memcmp(visit.carried, s.carried, visit.words * sizeof *visit.carried)) &&
         undone(visit);
}

void remember(const State& s, Thread& t, std::uint64_t entry, std::uintptr_t live_from) {
  if (!t.loop_visit_count) t.next_loop_visit = 0;
  LoopVisit& visit = t.loop_visits[t.next_loop_visit];
  t.next_loop_visit = std::uint8_t((t.next_loop_visit + 1) % kLoopVisits);
  if (t.loop_visit_count < kLoopVisits) ++t.loop_visit_count;
  visit.entry = entry;
  visit.live_from = live_from;
  visit.words = std::uint16_t(s.carried_words);
  visit.write_count = visit.lock_count = 0;
  memcpy(visit.carried, s.carried, s.carried_words * sizeof *s.carried);
}

[[noreturn]] void report_livelock(State& s) {
  s.running = false;
  const unsigned first = s.spinning.first();
  inspect_result& result = s.channel->results[s.slot];
  result.bug_thread = std::uint8_t(first);
  result.bug_site = s.threads[first].loop_site;
  format_message("%s", s.spinning.count() == 1 ? "a loop waits for what no thread will change"
                                               : "loops wait for what no thread will change");
  end_execution(INSPECT_END_BUG, INSPECT_BUG_LIVELOCK, 0);
}

// No blocked thread would go on.
[[noreturn]] void judge(State& s) {
  bool loops = false;
  s.spinning.for_each([&](unsigned i) { loops |= !s.threads[i].lock_all_depth; });
  if (loops) report_livelock(s);
  s.probing = false;  // a deadlock is one all the same
  end_deadlocked(s);
}

// The probed thread came back unchanged, or waits for a lock that nobody will release.
void probe_returned(State& s) {
  Thread* const next = next_probe(s);
  if (!next) judge(s);
  Thread& from = *s.current;
  if (next != &from) switch_fiber(from, *next);
}

// A search covers what follows by another execution. A sample has only itself: there the thread goes on once something was
// written, and so does the replay of a sample.
Mask sampled_guard(const Thread& t) {
  const State& s = state();
  const bool replayed = s.position < s.prefix_length && s.prefix[s.position].thread == t.id;
  const bool sampled = replayed || s.request->policy == INSPECT_POLICY_RANDOM || s.request->policy == INSPECT_POLICY_PCT;
  return sampled && (t.lock_all_depth || s.writes != t.wait_value) ? Mask::one(0) : Mask{};
}

// object: what is known to be waited for, or null.
void block(State& s, Thread& t, const void* object, std::uint32_t site) {
  if (t.atomic_depth) report_limit(INSPECT_LIMIT_LOOP, "a loop inside an atomic section waits", site);
  s.carried_words = 0;
  if (s.probing) return probe_returned(s);
  if (s.time_used)
    assume_text("loops that wait sleep or time out only once: later readings of the clock are the earliest possible");
  s.spinning.add(t.id);
  t.loop_site = site;
  t.wait_value = s.writes;
  visible(operation(INSPECT_OP_SpinWait, object, 0, site), sampled_guard);
  if (s.probing) return;
  s.spinning.remove(t.id);
  executed();
}

// As if the thread had just arrived there: what it did in turns before must not fill what there is room for in this one.
void forget_all_but(Thread& t, unsigned kept) {
  if (kept) t.loop_visits[0] = t.loop_visits[kept];
  if (mutated(Mutation::probe_keeps_writes)) return;
  t.loop_visits[0].write_count = t.loop_visits[0].lock_count = 0;
  t.loop_visit_count = t.next_loop_visit = 1;
}

void visit_head(State& s, Thread& t, std::uint64_t entry, std::uintptr_t live_from, std::uint32_t site) {
  take_disturbance(t);
  for (unsigned i = 0; i < t.loop_visit_count; ++i) {
    if (!same_state(s, t.loop_visits[i], entry, live_from)) continue;
    block(s, t, nullptr, site);
    return forget_all_but(t, i);
  }
  remember(s, t, entry, live_from);
}

void watch_write(WatchedWrite& write, std::uintptr_t address, std::size_t size) {
  write.address = address;
  write.size = std::uint32_t(size);
  memcpy(write.before, reinterpret_cast<const void*>(address), size);
}

// Where the caller's frame ends, given that of a hook: above its saved frame pointer and return address.
std::uintptr_t caller_stack(const void* frame) { return reinterpret_cast<std::uintptr_t>(frame) + 2 * sizeof(void*); }

// A place on the thread's own stack that was told anew is another object each time, though its address is the same: others may
// look at it, so calls that return before the head matter to them.
bool tells_own_stack(const Thread& t, std::uintptr_t address, std::size_t size) {
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= size; at += sizeof(std::uintptr_t)) {
    std::uintptr_t word = 0;
    memcpy(&word, reinterpret_cast<const void*>(address + at), sizeof word);
    if (on_own_stack(t, word)) return true;
  }
  return false;
}

// Has a thread that comes there in a probe gone on, though others may not see it? It has come to its end, or to that of what is
// of interest.
bool leaves_loops(unsigned kind) {
  return kind == INSPECT_OP_Choice || kind == INSPECT_OP_AssumeFailed || kind == INSPECT_OP_ProcessExit ||
         kind == INSPECT_OP_ThreadExit;
}

}  // namespace

void watch_loops(State& s, const Thread& t) {
  s.armed_visits = t.spin.count ? kManyVisits : kFewVisits;
  inspect_loop_budget = s.standalone ? INT64_MAX : 1;
}

void note_write(Thread& t, std::uintptr_t address, std::size_t size) {
  if (mutated(Mutation::writes_unwatched)) return;
  settle_write(t);
  if (size > sizeof WatchedWrite::before) return disturb(t);
  if (!on_own_stack(t, address)) return watch_write(t.latest_write, address, size);
  for (unsigned i = 0; i < t.loop_visit_count; ++i) {
    LoopVisit& visit = t.loop_visits[i];
    if (address + size <= visit.live_from) continue;  // of a call that returns before the head
    if (visit.write_count == sizeof visit.writes / sizeof *visit.writes) return disturb(t);
    watch_write(visit.writes[visit.write_count++], address, size);
  }
}

void note_library_write(Thread& t, std::uintptr_t address) {
  if (t.loop_visit_count && !on_own_stack(t, address)) disturb(t);
}

void settle_write(Thread& t) {
  const WatchedWrite& write = t.latest_write;
  if (!write.size) return;
  const bool changed = memcmp(write.before, reinterpret_cast<const void*>(write.address), write.size) ||
                       tells_own_stack(t, write.address, write.size);
  t.latest_write.size = 0;
  if (changed) disturb(t);
}

void note_effect(State& s, Thread& t, const Operation& o) {
  const bool failed = o.flags & (INSPECT_FLAG_FAILED | INSPECT_FLAG_UNCHANGED);
  if (!failed && inspect_writes(&o)) ++s.writes;
  if (is_lock_attempt(o)) {
    if (failed)
      observe_holder(s, t, o.object);
    else if (s.turn_released_lock)
      use_release(s, t, o.object);
  }
  if (!t.loop_visit_count && !s.probing) return;
  if (const int by = inspect_acquires(o.kind) - inspect_releases(o.kind)) {
    if (!failed) change_balances(s, t, o.object, by);
    return;
  }
  switch (o.kind) {
    case INSPECT_OP_CondWait:
      if (t.chosen == 1) return change_balances(s, t, o.object2, -1);  // a time-out: CondWake follows
      if (failed && t.chosen != 2) return;                             // a spurious wake may not come again
      break;                                                           // it was among the waiters
    case INSPECT_OP_AtomicLoad:
    case INSPECT_OP_PlainRead:
    case INSPECT_OP_PlainWrite:  // compared with what was there when it has been made
    case INSPECT_OP_SemGetValue:
    case INSPECT_OP_Choice:
    case INSPECT_OP_SpinWait:
    case INSPECT_OP_AtomicSection:  // its writes have been noted one by one
      return;
    case INSPECT_OP_AtomicStore:
    case INSPECT_OP_AtomicRmw:
    case INSPECT_OP_AtomicCas:
      if (failed && !tells_own_stack(t, o.object, o.size)) return;
      break;
    case INSPECT_OP_SemTryWait:
    case INSPECT_OP_SemTimedWait:
    case INSPECT_OP_OnceEnter:
    case INSPECT_OP_ThreadTryJoin:
      if (failed) return;
      break;
    default:
      break;
  }
  if (!mutated(Mutation::effects_unwatched)) disturb(t);
}

void note_nested_lock(Thread& t, const void* lock, int by) {
  bool kept = true;
  for (unsigned i = 0; i < t.loop_visit_count; ++i)
    change_balance(t.loop_visits[i], reinterpret_cast<std::uint64_t>(lock), by, kept);
  if (!kept) disturb(t);
}

void block_failed_attempt(State& s, Thread& t, const Operation& o) {
  if (!t.lock_all_depth || !(o.flags & INSPECT_FLAG_FAILED) || !is_lock_attempt(o)) return;
  block(s, t, reinterpret_cast<const void*>(o.object), o.site);
}

Thread* next_probe(State& s) {
  if (!s.probing) {
    if (s.spinning.empty()) return nullptr;
    s.probing = true;
    s.logging = s.recording = false;
    s.step = nullptr;
    s.to_probe = s.spinning;
  }
  if (s.to_probe.empty()) return nullptr;
  Thread& t = s.threads[s.to_probe.first()];
  s.to_probe.remove(t.id);
  t.spin.count = 1;  // many heads
  watch_loops(s, t);
  return &t;
}

unsigned probe_visible(State& s, Thread& t, const Operation& o, Guard guard) {
  if (leaves_loops(o.kind) || ++s.probe_steps > kMostProbeSteps) end_probe();
  t.pending = o;
  t.guard = guard;
  t.chosen = 0;
  if (guard) {
    const Mask enabled = guard(t);
    const bool times_out = o.kind == INSPECT_OP_CondWait && enabled.has(1);
    if (!enabled.empty()) t.chosen = std::uint16_t(times_out ? 1 : enabled.first());
    while (enabled.empty()) probe_returned(s);
  }
  watch_loops(s, t);
  return t.chosen;
}

void end_probe() { end_execution(INSPECT_END_SPINNING, 0, 0); }

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT void inspect_lock_all_begin(void) {
  if (active()) ++state().current->lock_all_depth;
}
INSPECT_EXPORT void inspect_lock_all_end(void) {
  State& s = state();
  if (!active()) return;
  if (s.probing) end_probe();
  --s.current->lock_all_depth;
}

INSPECT_EXPORT void inspect_loop_value(std::uint64_t value) {
  State& s = state();
  if (s.carried_words < kMostWords) s.carried[s.carried_words] = value;
  ++s.carried_words;
}

INSPECT_EXPORT void inspect_loop_memory(const void* address, std::size_t size) {
  for (std::size_t at = 0; at < size; at += 8) {
    std::uint64_t word = 0;
    memcpy(&word, static_cast<const char*>(address) + at, size - at < 8 ? size - at : 8);
    inspect_loop_value(word);
  }
}

INSPECT_EXPORT void inspect_loop(std::uint64_t entry, const void* site) {
  State& s = state();
  if (!active() || s.standalone) {
    inspect_loop_budget = INT64_MAX;
    s.carried_words = 0;
    return;
  }
  // Looked at a few heads after each visible operation; and again when a loop turned often without one: it may wait for a plain
  // variable.
  s.armed_visits = s.armed_visits ? s.armed_visits - 1 : kLateVisits;
  inspect_loop_budget = s.armed_visits ? 1 : std::int64_t(s.channel->configuration.loop_budget);
  if (entry && s.carried_words <= kMostWords)
    visit_head(s, *s.current, entry, caller_stack(__builtin_frame_address(0)),
               site_number(static_cast<const inspect_site*>(site)));
  s.carried_words = 0;
}
