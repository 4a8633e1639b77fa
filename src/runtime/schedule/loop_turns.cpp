#include "runtime/memory/module.hpp"
#include "runtime/schedule/virtual_time.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/spin.hpp"

#include <errno.h>
#include <string.h>

#include <iterator>

#include "runtime/memory/arena.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/platform/mutation.hpp"
#include "runtime/platform/not_state.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/loop_state.hpp"
#include "runtime/schedule/spin_probe.hpp"
#include "runtime/schedule/value_wait.hpp"
#include "runtime/upcalls/points.hpp"

extern "C" {
INSPECT_NOT_STATE std::int64_t inspect_loop_budget = INT64_MAX;
INSPECT_NOT_STATE std::int64_t inspect_loop_entries = 0;
INSPECT_NOT_STATE std::int64_t inspect_disturbed = 0;
}

namespace inspect::runtime {
namespace {

// Heads of loops looked at after a visible operation; when it read once more what it had read before; without any for long.
constexpr unsigned kFewVisits = 4, kManyVisits = 2048, kLateVisits = 64;
constexpr unsigned kMostWords = std::size(Loops{}.carried);

bool on_own_stack(const Thread& t, std::uintptr_t address) {
  return address >= stack_bottom(t.id) && address < stack_top(t.id);
}

// Turns of one entry, with the same carried and something changed for others, before the loop is given up.
constexpr std::uint32_t kMostTurns = 200;
// While all others wait, some of them in loops; while they wait otherwise.
constexpr std::uint32_t kMostTurnsAlone = 2'000, kMostTurnsLeft = 20'000;
// Writes between two heads that are looked at: a thread that computes must not be slowed down for long.
constexpr std::uint32_t kMostWrites = 64;

// Of a lock that is read by some and written by others it would depend on the order of readers, which commute, who sees what.
bool reads_lock(const Operation& o) {
  return inspect_family_of(o.kind) == INSPECT_FAMILY_RwLock && inspect_effect_of(o.kind) == INSPECT_EFFECT_Read;
}

// False: there is no room, or it is not known who sees it.
bool change_balance(LoopVisit& visit, const Operation& o, std::uint64_t lock, int by) {
  unsigned i = 0;
  while (i < visit.lock_count && visit.locks[i].by.object != lock) ++i;
  if (i == sizeof visit.locks / sizeof *visit.locks) return false;
  LockBalance& known = visit.locks[i];
  if (i == visit.lock_count) {
    ++visit.lock_count;
    known = {o, 0};
    known.by.object = lock;
  }
  known.balance += by;
  if (known.balance < 0) loops().turn_released_lock = true;
  return reads_lock(known.by) == reads_lock(o);
}

void change_balances(State& s, Thread& t, const Operation& o, std::uint64_t lock, int by) {
  if (s.execution.probing) {
    loop_watch(t).probe_touched |= object_bits(lock, 1);
    if (by < 0) offer_lock(s, t);
  }
  bool kept = true;
  for (unsigned i = 0; i < t.loop_visit_count; ++i) kept &= change_balance(loop_watch(t).visits[i], o, lock, by);
  if (!kept) disturb(t);
}

// Does `o` of another thread see what the turn has done to a lock?
bool sees(const Operation& o, const LockBalance& lock) {
  if (mutated(Mutation::seen_turns_spoil_all) && o.flags & INSPECT_FLAG_FAILED) return true;
  return inspect_dependent(&o, &lock.by) && (o.flags & INSPECT_FLAG_FAILED ? lock.balance > 0 : lock.balance < 0);
}

void note_observed(Thread& t, unsigned visit) {
  loop_watch(t).visits[visit].observed = true;
  if (mutated(Mutation::seen_turns_spoil_all)) t.loop_visit_count = 0;
}

// Another thread's failed attempt saw that a turn holds the lock; or it has the lock, which a turn that began with it has given
// away. Without that turn it would have gone otherwise. A visit is concerned only by what was done since, and seen before it
// was undone: all of that is ordered by dependence, so it is the same in each execution of a class. If the attempt is one of
// std::lock, it is itself a turn that need not be taken.
void observe_lock(State& s, const Thread& self, const Operation& o) {
  const bool failed = o.flags & INSPECT_FLAG_FAILED;
  if (failed && (self.lock_all_depth || mutated(Mutation::held_lock_unseen))) return;
  if (!failed && (!loops().turn_released_lock || mutated(Mutation::handed_over_lock_unseen))) return;
  s.execution.alive.for_each([&](unsigned i) {
    Thread& t = s.threads[i];
    if (&t == &self) return;
    if (failed && t.lock_all_depth) assume_text("std::lock takes its locks all at once: nobody finds just some of them taken");
    for (unsigned v = 0; v < t.loop_visit_count; ++v)
      for (unsigned k = 0; k < loop_watch(t).visits[v].lock_count; ++k)
        if (sees(o, loop_watch(t).visits[v].locks[k])) note_observed(t, v);
  });
}

bool is_lock_attempt(const Operation& o) {
  const inspect_family family = inspect_family_of(o.kind);
  return family == INSPECT_FAMILY_Mutex || family == INSPECT_FAMILY_RwLock;
}

void forget_carried() { loops().carried_words = loops().carried_object_count = 0; }

// Is the place compared as part of what the loop carries? The function's own stores to it have no hooks.
bool is_carried(const WatchedWrite& write) {
  for (unsigned i = 0; i < loops().carried_object_count; ++i)
    if (write.address >= loops().carried_objects[i].begin && write.address + write.size <= loops().carried_objects[i].end)
      return true;
  return false;
}

bool differs(const WatchedWrite& write) {
  return write.unknown || memcmp(write.before, reinterpret_cast<const void*>(write.address), write.size) != 0;
}

// A place on the stack that nobody may look at any more.
bool has_ended(const WatchedWrite& write) {
  const auto ended = [](std::uintptr_t address) { return check_access(address, 1) != MemoryFault::none; };
  return on_own_stack(*state().current, write.address) && ended(write.address) && ended(write.address + write.size - 1);
}

// Of how many visits, the oldest first, is it in a block of the heap that the thread has allocated since? Nobody else knows
// such a block, unless the turn has told its address: that is a change by itself, for no turn tells the same one.
unsigned visits_before(const Thread& t, std::uintptr_t address) {
  if (address - kArenaBase >= kArenaBytes || arena_owner(address) != t.id) return 0;
  unsigned i = 0;
  const LoopVisit* const visits = loop_watch(t).visits;
  const auto begin = [&] { return is_large_place(address) ? visits[i].large_break : visits[i].small_break; };
  while (i < t.loop_visit_count && address >= begin()) ++i;
  return i;
}

// Did nothing remain of what the thread has done since?
bool undone(const LoopVisit& visit) {
  for (unsigned i = 0; i < visit.lock_count; ++i)
    if (visit.locks[i].balance && !mutated(Mutation::balances_not_compared)) return false;
  for (unsigned i = 0; i < visit.write_count; ++i)
    if (differs(visit.writes[i]) && !is_carried(visit.writes[i]) && !has_ended(visit.writes[i])) return false;
  return !visit.atomic_count && !visit.blocks;
}

bool same_state(const LoopVisit& visit, std::uint64_t entry, std::uintptr_t live_from) {
  return !visit.observed && visit.entry == entry && visit.live_from == live_from && visit.words == loops().carried_words &&
         visit.error == errno &&
         (mutated(Mutation::carried_not_compared) ||
          !memcmp(visit.carried, loops().carried, visit.words * sizeof *visit.carried)) &&
         undone(visit);
}

// The first visit of a probe is where the thread waited: what it has changed since, it has changed on its way.
void keep_count_of_probe(const Thread& t) {
  if (state().execution.probing && !undone(loop_watch(t).visits[0])) end_probe();
}

void forget(Thread& t, unsigned visit) {
  if (!visit) keep_count_of_probe(t);
  --t.loop_visit_count;
  for (unsigned i = visit; i < t.loop_visit_count; ++i) loop_watch(t).visits[i] = loop_watch(t).visits[i + 1];
}

// Entries are numbered: those with higher numbers were made inside this one, and their loops have been left. They do not come
// again, and must not take the room of the loops around them.
void forget_left_loops(Thread& t, std::uint64_t entry) {
  if (t.loop_visit_count && loop_watch(t).visits[0].entry > entry) keep_count_of_probe(t);
  while (t.loop_visit_count && loop_watch(t).visits[t.loop_visit_count - 1].entry > entry) --t.loop_visit_count;
}

// Room for one more: the oldest of this entry goes if that leaves another of it, else the oldest of all.
LoopVisit& next_visit(Thread& t, std::uint64_t entry) {
  if (t.loop_visit_count == kLoopVisits) {
    unsigned first = 0;
    while (first < kLoopVisits && loop_watch(t).visits[first].entry != entry) ++first;
    forget(t, first < kLoopVisits ? first : 0);
  }
  return loop_watch(t).visits[t.loop_visit_count++];
}

void mark_heap(const Thread& t, LoopVisit& visit) {
  const ThreadArena& heap = arena_state().threads[t.id];
  visit.small_break = heap.small_break;
  visit.large_break = heap.large_break;
  visit.blocks = 0;
}

void remember(Thread& t, std::uint64_t entry, std::uintptr_t live_from) {
  LoopVisit& visit = next_visit(t, entry);
  loop_watch(t).writes = 0;
  visit.entry = entry;
  visit.observed = false;
  visit.error = errno;
  visit.live_from = live_from;
  visit.words = std::uint16_t(loops().carried_words);
  visit.write_count = visit.lock_count = visit.atomic_count = 0;
  mark_heap(t, visit);
  memcpy(visit.carried, loops().carried, loops().carried_words * sizeof *loops().carried);
}

// A search covers what follows by another execution. A sample has only itself: there the thread goes on once something was
// written, and so does the replay of a sample.
Mask sampled_guard(const Thread& t) {
  const State& s = state();
  const bool replayed = s.execution.position < s.request.prefix_length && s.request.prefix[s.execution.position].thread == t.id;
  const bool sampled =
      replayed || s.request.message->policy == INSPECT_POLICY_RANDOM || s.request.message->policy == INSPECT_POLICY_PCT;
  return sampled && (t.lock_all_depth || loops().writes != t.wait.value) ? Mask::one(0) : Mask{};
}

// object: what is known to be waited for, or null.
void block(State& s, Thread& t, const void* object, std::uint32_t site) {
  if (t.atomic_depth) report_limit(INSPECT_LIMIT_LOOP, "a loop inside an atomic section waits", site);
  forget_carried();
  if (s.execution.probing) return end_turn(s, t);
  if (s.execution.time_used)
    assume_text("loops that wait sleep or time out only once: later readings of the clock are the earliest possible");
  s.execution.spinning.add(t.id);
  loop_watch(t).site = site;
  t.wait.value = loops().writes;
  visible(operation(INSPECT_OP_SpinWait, object, 0, site), sampled_guard);
  if (s.execution.probing) return;
  s.execution.spinning.remove(t.id);
  executed();
}

// As if the thread had just arrived there: what it did in turns before must not fill what there is room for in this one.
void forget_all_but(Thread& t, unsigned kept) {
  if (kept) loop_watch(t).visits[0] = loop_watch(t).visits[kept];
  loop_watch(t).writes = 0;
  if (mutated(Mutation::probe_keeps_writes)) return;
  loop_watch(t).visits[0].write_count = loop_watch(t).visits[0].lock_count = loop_watch(t).visits[0].atomic_count = 0;
  mark_heap(t, loop_watch(t).visits[0]);
  t.loop_visit_count = 1;
}

LoopTurns& turns_of(Thread& t, std::uint64_t entry) {
  LoopTurns* oldest = &loop_watch(t).turns[0];
  for (LoopTurns& turns : loop_watch(t).turns) {
    if (turns.entry == entry) return turns;
    if (oldest->entry <= entry && (turns.entry > entry || turns.entry < oldest->entry)) oldest = &turns;
  }
  *oldest = {entry, 0, state().execution.position, 0};
  return *oldest;
}

// In the present state: `enabled` is of the state before the latest operation.
bool another_is_enabled(const State& s, const Thread& self) {
  bool any = false;
  s.execution.alive.for_each([&](unsigned i) {
    const Thread& t = s.threads[i];
    any |= &t != &self && (t.guard ? !t.guard(t).empty() : s.execution.enabled.has(i));
  });
  return any;
}

bool waits_in_loop(const State& s) { return !s.execution.spinning.empty() || any_waits_for_value(s); }

// A loop that carries the same at each head, but changes something for others, could turn without end while nothing else moves,
// and each number of turns would be another execution.
void count_turn(State& s, Thread& t, std::uint64_t entry, std::uint32_t site) {
  std::uint64_t carried = 1;
  for (unsigned i = 0; i < loops().carried_words; ++i) carried = (carried ^ loops().carried[i]) * 0x9E3779B97F4A7C15ull;
  LoopTurns& turns = turns_of(t, entry);
  if (turns.carried != carried || loop_watch(t).spin.fresh) turns = {entry, carried, s.execution.position, 0};
  loop_watch(t).spin.fresh = false;
  const bool alone = s.execution.position - turns.position <= s.execution.run_length && !another_is_enabled(s, t);
  turns.position = s.execution.position;
  const bool sampled = s.request.message->policy == INSPECT_POLICY_RANDOM || s.request.message->policy == INSPECT_POLICY_PCT;
  if (sampled || s.execution.alive.count() == 1) return;
  if (++turns.count > (!alone ? kMostTurns : waits_in_loop(s) ? kMostTurnsAlone : kMostTurnsLeft)) give_up_loop(t, site);
}

void visit_head(State& s, Thread& t, std::uint64_t entry, std::uintptr_t live_from, std::uint32_t site) {
  take_disturbance(t);
  forget_left_loops(t, entry);
  for (unsigned i = 0; i < t.loop_visit_count; ++i) {
    const LoopVisit& visit = loop_watch(t).visits[i];
    if (!same_state(visit, entry, live_from)) {
      if (visit.entry == entry && visit.blocks) loop_watch(t).change = {"an allocation", visit.block_site};
      continue;
    }
    if (i) keep_count_of_probe(t);  // it waits elsewhere
    forget_all_but(t, i);           // what others do from here on concerns no turn
    return block(s, t, nullptr, site);
  }
  if (!s.execution.probing) count_turn(s, t, entry, site);
  remember(t, entry, live_from);
}

void watch_write(WatchedWrite& write, std::uintptr_t address, std::size_t size) {
  write.address = address;
  write.size = std::uint32_t(size);
  write.site = state().execution.touching;
  write.unknown = size > sizeof write.before;
  if (!write.unknown) memcpy(write.before, reinterpret_cast<const void*>(address), size);
}

// What was there when the visit was made is what the first write to the place found. False: there is no room.
bool keep_write(LoopVisit& visit, const WatchedWrite& write, bool own_stack) {
  if (own_stack && write.address + write.size <= visit.live_from) return true;  // of a call that returns before the head
  for (unsigned i = 0; i < visit.write_count; ++i)
    if (visit.writes[i].address == write.address && visit.writes[i].size == write.size) {
      visit.writes[i].unknown |= write.unknown;
      return true;
    }
  if (visit.write_count == sizeof visit.writes / sizeof *visit.writes) return false;
  visit.writes[visit.write_count++] = write;
  return true;
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

// Others may see from here on what the thread has written: what is not as it was is a change, though it be changed back later.
// Before, they could not without a race.
// object: an atomic one that the present operation is about; whoever sees that is noticed.
void show_writes(Thread& t, std::uint64_t object = 0) {
  settle_write(t);
  if (mutated(Mutation::shown_writes_unseen)) return;
  if (state().execution.probing && t.lock_all_depth) return;  // an attempt of std::lock, which is judged by its locks
  for (unsigned i = 0; i < t.loop_visit_count; ++i) {
    LoopVisit& visit = loop_watch(t).visits[i];
    for (unsigned k = 0; k < visit.write_count; ++k)
      if (differs(visit.writes[k])) return disturb(t);
    for (unsigned k = 0; k < visit.atomic_count; ++k)
      if (visit.atomics[k].by.object != object) return disturb(t);
    visit.write_count = 0;  // others may write there now
  }
}

bool overlap(const Operation& a, const Operation& b) { return a.object < b.object + b.size && b.object < a.object + a.size; }

std::uint64_t mask_of(std::uint32_t size) { return size == 8 ? ~0ull : (1ull << 8 * size) - 1; }

// False: it is not known whether others can see it, or there is no room. Which of them see it must not depend on how operations
// are ordered that commute: so one that commutes with others may only be the first.
bool keep_change(LoopVisit& visit, const Operation& o, std::uint64_t added) {
  for (unsigned i = 0; i < visit.atomic_count; ++i) {
    AtomicChange& known = visit.atomics[i];
    if (!overlap(known.by, o)) continue;
    if (known.by.object != o.object || known.by.size != o.size || o.flags & INSPECT_FLAG_RESULT_UNUSED) return false;
    known.sum = (known.sum + added) & mask_of(o.size);
    known.mixed = true;
    if (!known.sum) known = visit.atomics[--visit.atomic_count];  // undone before anybody has seen it
    return true;
  }
  if (visit.atomic_count == sizeof visit.atomics / sizeof *visit.atomics) return false;
  visit.atomics[visit.atomic_count++] = {o, added, false};
  return true;
}

// Whichever of the operations that commute with it come before? Of two threads that set one bit only the first has changed it.
bool changes_the_same_anywhere(const Operation& o) {
  return !(o.flags & INSPECT_FLAG_RESULT_UNUSED) || o.kind != INSPECT_OP_AtomicRmw || o.rmw == INSPECT_RMW_Add ||
         o.rmw == INSPECT_RMW_Sub || mutated(Mutation::bits_set_by_nobody);
}

bool changes_nothing(const Operation& o) {
  return o.flags & INSPECT_FLAG_FAILED || (o.flags & INSPECT_FLAG_UNCHANGED && changes_the_same_anywhere(o));
}

// A change of an atomic object may yet be undone before anybody has seen it: the reference count of a pointer that is copied.
void change_atomic(State& s, Thread& t, const Operation& o, std::uint64_t read, std::uint64_t written) {
  if (mutated(Mutation::effects_unwatched)) return;
  const unsigned first = visits_before(t, o.object);
  if (first && first == t.loop_visit_count) return;
  show_writes(t, o.object);
  loop_watch(t).change = {inspect_kind_text(o.kind), o.site};
  // Of some operations it is not known what they change.
  const std::uint64_t added = o.size && o.size <= 8 ? (written - read) & mask_of(o.size) : 0;
  bool kept = added && changes_the_same_anywhere(o) && !tells_own_stack(t, o.object, o.size);
  for (unsigned i = first; i < t.loop_visit_count && kept; ++i) kept = keep_change(loop_watch(t).visits[i], o, added);
  if (!kept) return disturb(t);
  loops().turn_changed_atomic = true;
  if (s.execution.probing) loop_watch(t).probe_touched |= object_bits(o.object, o.size);
}

// Does the operation depend on what the thread's operations did to the object?
bool sees(const Operation& o, const AtomicChange& change) {
  if (o.kind == INSPECT_OP_AtomicSection) return true;
  return inspect_dependent(&o, &change.by) || (change.mixed && overlap(o, change.by));
}

// Another thread's operation on an object that a turn has changed and not changed back: the turn has been observed.
void observe_changes(State& s, const Thread& self, const Operation& o) {
  if (!loops().turn_changed_atomic || mutated(Mutation::atomic_changes_unseen)) return;
  s.execution.alive.for_each([&](unsigned i) {
    Thread& t = s.threads[i];
    if (&t == &self) return;
    for (unsigned v = 0; v < t.loop_visit_count; ++v)
      for (unsigned k = 0; k < loop_watch(t).visits[v].atomic_count; ++k)
        if (sees(o, loop_watch(t).visits[v].atomics[k])) note_observed(t, v);
  });
}

}  // namespace

void watch_loops(State& s, const Thread& t) {
  if (takes_all_turns(s)) {
    loops().armed_visits = 0;
    inspect_loop_budget = std::int64_t(s.channel->configuration.loop_budget);
    return;
  }
  loops().armed_visits = loop_watch(t).spin.count ? kManyVisits : kFewVisits;
  inspect_loop_budget = s.standalone ? INT64_MAX : 1;
}

void note_write(Thread& t, std::uintptr_t address, std::size_t size) {
  if (mutated(Mutation::writes_unwatched)) return;
  settle_write(t);
  if (visits_before(t, address) == t.loop_visit_count) return;
  if (size > sizeof WatchedWrite::before && !on_own_stack(t, address)) return disturb(t);
  watch_write(t.latest_write, address, size);
}

void note_library_write(Thread& t, std::uintptr_t address, std::size_t size) {
  WatchedWrite write{address, std::uint32_t(size), 0, true, {}};
  const bool own = on_own_stack(t, address);
  bool kept = true;
  for (unsigned i = visits_before(t, address); i < t.loop_visit_count && kept; ++i)
    kept = own && keep_write(loop_watch(t).visits[i], write, own);
  if (!kept) disturb(t);
}

void note_allocation(Thread& t, std::uint32_t site) {
  for (unsigned i = 0; i < t.loop_visit_count; ++i) {
    ++loop_watch(t).visits[i].blocks;
    loop_watch(t).visits[i].block_site = site;
  }
}

void note_free(Thread& t, std::uintptr_t block) {
  const unsigned first = visits_before(t, block);
  if (!first && t.loop_visit_count) return disturb(t);
  for (unsigned i = 0; i < t.loop_visit_count; ++i) {
    LoopVisit& visit = loop_watch(t).visits[i];
    if (i < first)
      --visit.blocks;
    else
      visit.observed = true;
  }
}

void give_up_loop(const Thread& t, std::uint32_t site) {
  const LoopChange& change = loop_watch(t).change;
  const inspect_site* const place = site_at(change.site);
  const char* const file = place ? strrchr(place->file, '/') : nullptr;
  const char* const what = change.what ? change.what : "variables of its own, or by a call";
  static constexpr char text[] = "a thread reads the same values again and again in a loop that changes something else";
  if (place)
    format_message("%s (%s at %s:%u)", text, what, file ? file + 1 : place->file, place->line);
  else
    format_message("%s (%s)", text, what);
  report_limit(INSPECT_LIMIT_LOOP, state().channel->messages[state().request.slot], site);
}

void settle_write(Thread& t) {
  const WatchedWrite write = t.latest_write;
  if (!write.size) return;
  t.latest_write.size = 0;
  const bool own = on_own_stack(t, write.address);
  const bool changed = differs(write);
  bool kept = own || !tells_own_stack(t, write.address, write.size);
  if (kept && !changed) return;
  loop_watch(t).change = {"a write", write.site};
  kept &= ++loop_watch(t).writes <= kMostWrites;
  for (unsigned i = visits_before(t, write.address); i < t.loop_visit_count && kept; ++i)
    kept = keep_write(loop_watch(t).visits[i], write, own);
  if (!kept) disturb(t);
}

void note_effect(State& s, Thread& t, const Operation& o, std::uint64_t read, std::uint64_t written) {
  observe_changes(s, t, o);
  const bool failed = changes_nothing(o);
  if (!failed && inspect_writes(&o)) ++loops().writes;
  if (s.execution.probing) note_tried(t, o);
  if (is_lock_attempt(o)) observe_lock(s, t, o);
  if (!t.loop_visit_count && !s.execution.probing) return;
  if (const int by = inspect_acquires(o.kind) - inspect_releases(o.kind)) {
    if (!failed && by < 0) show_writes(t);
    if (!failed) change_balances(s, t, o, o.object, by);
    return;
  }
  switch (o.kind) {
    case INSPECT_OP_CondWait:
      show_writes(t);
      if (t.chosen == 1) return change_balances(s, t, o, o.object2, -1);  // a time-out: CondWake follows
      if (failed && t.chosen != 2) return;                                // a spurious wake may not come again
      break;                                                              // it was among the waiters
    case INSPECT_OP_AtomicLoad:
    case INSPECT_OP_PlainRead:
    case INSPECT_OP_PlainWrite:  // compared with what was there when it has been made
    case INSPECT_OP_SemGetValue:
    case INSPECT_OP_Choice:
    case INSPECT_OP_SpinWait:
    case INSPECT_OP_Free:  // note_free
      return;
    case INSPECT_OP_AtomicSection:  // its writes have been noted one by one
      return show_writes(t);
    case INSPECT_OP_AtomicStore:
    case INSPECT_OP_AtomicRmw:
    case INSPECT_OP_AtomicCas:
      if (!failed) return change_atomic(s, t, o, read, written);
      if (tells_own_stack(t, o.object, o.size)) break;
      if (o.flags & INSPECT_FLAG_UNCHANGED) show_writes(t, o.object);
      return;
    case INSPECT_OP_SemTryWait:
    case INSPECT_OP_SemTimedWait:
    case INSPECT_OP_OnceEnter:
    case INSPECT_OP_ThreadTryJoin:
    case INSPECT_OP_FileOperation:
      if (failed) return show_writes(t);
      break;
    case INSPECT_OP_FileRead:  // object2: the offset, which moves
      if (failed || !o.size2) return;
      break;
  }  // all others change something for others
  if (mutated(Mutation::effects_unwatched)) return;
  loop_watch(t).change = {inspect_kind_text(o.kind), o.site};
  disturb(t);
}

void note_nested_lock(Thread& t, const void* lock, int by) {
  bool kept = true;
  const Operation o = operation(INSPECT_OP_MutexLock, lock, 1, 0);
  for (unsigned i = 0; i < t.loop_visit_count; ++i) kept &= change_balance(loop_watch(t).visits[i], o, o.object, by);
  if (!kept) disturb(t);
}

void block_failed_attempt(State& s, Thread& t, const Operation& o) {
  if (!t.lock_all_depth || !(o.flags & INSPECT_FLAG_FAILED) || !is_lock_attempt(o) || takes_all_turns(s)) return;
  block(s, t, reinterpret_cast<const void*>(o.object), o.site);
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT void inspect_lock_all_begin(void) {
  if (active()) ++state().current->lock_all_depth;
}
INSPECT_EXPORT void inspect_lock_all_end(void) {
  State& s = state();
  if (!active()) return;
  if (s.execution.probing) end_probe();
  --s.current->lock_all_depth;
}

INSPECT_EXPORT void inspect_loop_value(std::uint64_t value) {
  Loops& l = loops();
  if (l.carried_words < kMostWords) l.carried[l.carried_words] = value;
  ++l.carried_words;
}

INSPECT_EXPORT void inspect_loop_memory(const void* address, std::size_t size) {
  Loops& l = loops();
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (l.carried_object_count < std::size(l.carried_objects))
    l.carried_objects[l.carried_object_count++] = {begin, begin + size};
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
    forget_carried();
    return;
  }
  // Looked at a few heads after each visible operation; and again when a loop turned often without one: it may wait for a plain
  // variable.
  loops().armed_visits = loops().armed_visits ? loops().armed_visits - 1 : kLateVisits;
  inspect_loop_budget = loops().armed_visits ? 1 : std::int64_t(s.channel->configuration.loop_budget);
  if (entry && loops().carried_words <= kMostWords)
    visit_head(s, *s.current, entry, caller_stack(__builtin_frame_address(0)),
               site_number(static_cast<const inspect_site*>(site)));
  forget_carried();
}
