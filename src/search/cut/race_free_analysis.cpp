#include "search/cut/race_free_analysis.hpp"

#include <algorithm>

#include "model/effects.hpp"
#include "search/cut/accesses.hpp"
#include "search/mutation.hpp"

namespace inspect::search {

namespace {

// The lock that is given back, or taken, if that orders its owners; 0 if none. Readers and semaphores give no order.
std::uint64_t released_by(const Operation& o) {
  switch (inspect_lock_effect_of(o.kind)) {
    case INSPECT_LOCK_Gives:
      return inspect_effect_of(o.kind) == INSPECT_EFFECT_Write ? o.object : 0;
    case INSPECT_LOCK_GivesSecond:
      return failed(o) ? 0 : o.object2;
    case INSPECT_LOCK_Takes:
    case INSPECT_LOCK_Shares:
    case INSPECT_LOCK_Clears:
    case INSPECT_LOCK_None:
      return 0;
  }
  return 0;
}
std::uint64_t acquired_by(const Operation& o) { return takes_lock(o) || shares_lock(o) ? o.object : 0; }

}  // namespace

bool RaceFreeAnalysis::give_up(std::string why) {
  why_ = std::move(why);
  return false;
}

bool RaceFreeAnalysis::prepare(std::uint32_t state) {
  state_ = state;
  why_.clear();
  if (!obstacle_.empty()) return give_up(obstacle_);
  if (last_unseen_ > state) return give_up("code that is not instrumented");
  if (out_of_reach_ > state)
    return give_up(std::string("an operation: ") + inspect_kind_text(items_[steps_[out_of_reach_]].operation.kind));
  if (too_many_pairs_) return give_up("too many accesses of one object");
  unstable_cells_.clear();
  for (Thread& t : threads_) {
    t.last = kEver;
    t.reachable = nullptr;
    if (mutated(Mutation::pdp_all_is_certain)) continue;
    const auto at = std::ranges::find_if(t.varying, [&](std::uint32_t i) { return !is_past(items_[i]); });
    if (at != t.varying.end()) t.last = *at;
  }
  for (const std::uint32_t i : writes_) items_[i].tainted = false;
  return true;
}

bool RaceFreeAnalysis::certain(const Item& item) const {
  const Thread& t = threads_[item.thread];
  return t.last == kEver || item.index <= items_[t.last].index;
}

std::uint32_t RaceFreeAnalysis::copy_clock(std::uint32_t number) {
  const std::size_t n = threads_.size(), at = clocks_.size();
  clocks_.resize(at + n);
  std::copy_n(clocks_.begin() + static_cast<std::ptrdiff_t>(number * n), n, clocks_.begin() + static_cast<std::ptrdiff_t>(at));
  return static_cast<std::uint32_t>(at / n);
}

void RaceFreeAnalysis::join_clock(std::uint32_t into, std::uint32_t from, ThreadId but) {
  const std::size_t n = threads_.size();
  for (std::size_t k = 0; k < n; ++k)
    if (k != but) clocks_[into * n + k] = std::max(clocks_[into * n + k], clocks_[from * n + k]);
}

// How many items of t certainly come before the item.
std::uint32_t RaceFreeAnalysis::clock_of(const Item& item, ThreadId t) const {
  const std::uint32_t number = item.event == kEver ? threads_[item.thread].clock : after_[item.event];
  return clocks_[number * threads_.size() + t];
}

// Has b certainly ended where a's certainty ends?
bool RaceFreeAnalysis::knows_end(const Thread& a, ThreadId b) const { return clocks_[a.clock * threads_.size() + b] == kEver; }

// Locks order accesses of the past.
void RaceFreeAnalysis::pass_lock(const Item& item) {
  const std::size_t n = threads_.size();
  const auto at = [&](std::uint64_t lock) { return std::ranges::find(released_, lock, [](const auto& r) { return r.first; }); };
  if (const std::uint64_t lock = released_by(item.operation)) {
    const auto known = at(lock);
    std::uint32_t clock = 0;
    if (known == released_.end()) {
      clock = copy_clock(now_[item.thread]);
      released_.emplace_back(lock, clock);
    } else {
      clock = known->second;
      join_clock(clock, now_[item.thread]);
    }
    clocks_[clock * n + item.thread] = item.index;
  }
  if (const auto known = at(acquired_by(item.operation)); known != released_.end()) {
    now_[item.thread] = copy_clock(now_[item.thread]);
    join_clock(now_[item.thread], known->second, item.thread);
  }
}

void RaceFreeAnalysis::pass_thread(const Item& item) {
  const bool creates = item.operation.kind == INSPECT_OP_ThreadCreate;
  if (!creates && item.operation.kind != INSPECT_OP_ThreadJoin) return;
  const std::size_t n = threads_.size();
  ThreadId other = 0;
  while (other < n && inspect_thread_object(other) != item.operation.object) ++other;
  if (other == n) return;
  if (creates) {
    now_[other] = copy_clock(now_[item.thread]);
    clocks_[now_[other] * n + item.thread] = item.index;
  } else {
    now_[item.thread] = copy_clock(now_[item.thread]);
    join_clock(now_[item.thread], now_[other]);
    clocks_[now_[item.thread] * n + other] = kEver;
  }
}

// Computes clocks: in the past of the state by locks, creation and joins; from there on by creation and joins, which order in
// every execution.
void RaceFreeAnalysis::order() {
  clocks_.assign(threads_.size(), 0);
  now_.assign(threads_.size(), 0);
  after_.assign(steps_.size(), 0);
  released_.clear();
  for (std::uint32_t d = 1; d < steps_.size(); ++d) {
    const Item& item = items_[steps_[d]];
    if (!certain(item)) continue;
    if (is_past(item)) pass_lock(item);
    pass_thread(item);
    after_[d] = now_[item.thread];
  }
  for (std::size_t t = 0; t < threads_.size(); ++t) threads_[t].clock = now_[t];
}

// Does a come before b in every execution?
bool RaceFreeAnalysis::before(const Item& a, const Item& b) const {
  if (a.thread == b.thread) return a.index < b.index;
  return clock_of(b, a.thread) >= a.index;
}

// Marks writes whose value may differ in another execution. What was written in the past is the same for all that follow.
void RaceFreeAnalysis::taint() {
  for (std::size_t k = 0; k < contended_.size(); ++k) {
    Item& a = items_[contended_[k]];
    if (!open(a)) continue;
    if (a.operation.kind == INSPECT_OP_AtomicRmw || a.operation.kind == INSPECT_OP_AtomicCas) a.tainted = true;
    for (std::size_t j = k + 1; j < contended_.size(); ++j) {
      Item& b = items_[contended_[j]];
      if (b.operation.object >= a.operation.object + a.operation.size) break;
      if (a.thread != b.thread && open(b) && !ordered(a, b)) a.tainted = b.tainted = true;
    }
  }
}

// Can an object that the thread itself made lie there?
bool RaceFreeAnalysis::may_be_own(ThreadId t, std::uint64_t address) const {
  if (address >= code_.globals_begin && address < code_.globals_end) return false;
  const auto owner = code_.owner_of(address);
  return !owner || *owner == t;
}

// May the access of t touch these bytes?
bool RaceFreeAnalysis::touches(ThreadId t, const ReachableEffects::Access& a, std::uint64_t begin, std::uint64_t end) const {
  if (a.at.unknown || (a.at.own && may_be_own(t, begin))) return true;
  return std::ranges::any_of(a.at.list, [&](const Place& p) {
    const std::uint64_t last = a.size ? p.last + a.size : std::max(p.end, p.last + 1);
    return overlap(p.first, last - p.first, begin, end - begin);
  });
}

bool RaceFreeAnalysis::may_write(ThreadId t, std::uint64_t begin, std::uint64_t size) const {
  const auto& accesses = threads_[t].reachable->accesses();
  return std::ranges::any_of(accesses,
                             [&](const ReachableEffects::Access& a) { return a.write && touches(t, a, begin, begin + size); });
}

// May the read find another value in another execution?
bool RaceFreeAnalysis::find_unstable(const Item& read) const {
  if (mutated(Mutation::pdp_all_is_certain)) return false;
  const std::uint64_t begin = read.operation.object, size = read.operation.size;
  auto at = std::ranges::lower_bound(writes_, begin >= longest_write_ ? begin - longest_write_ : 0, {},
                                     [&](std::uint32_t i) { return items_[i].operation.object; });
  for (; at != writes_.end() && items_[*at].operation.object < begin + size; ++at) {
    const Item& w = items_[*at];
    if (&w == &read || !overlap(begin, size, w.operation.object, w.operation.size) || !open(w) || before(read, w)) continue;
    if (!before(w, read) || (w.tainted && !mutated(Mutation::pdp_no_taint))) return true;
  }
  for (ThreadId u = 0; u < threads_.size(); ++u) {
    if (u == read.thread || !threads_[u].reachable) continue;
    // The read comes before all of them.
    if (clocks_[threads_[u].clock * threads_.size() + read.thread] >= read.index) continue;
    if (may_write(u, begin, size)) return true;
  }
  return false;
}

bool RaceFreeAnalysis::lose(Thread& thread, std::uint32_t item) {
  if (thread.last != kEver && items_[item].index >= items_[thread.last].index) return false;
  thread.last = item;
  thread.reachable = nullptr;
  return true;
}

// Ends certainty at reads of values that may differ, and taints what is written with them. True if anything changed.
bool RaceFreeAnalysis::look_at_reads() {
  std::vector<std::uint32_t> spoilt;  // reads of values that go into memory only
  bool changed = false;
  for (const std::uint32_t i : reads_) {
    const Item& read = items_[i];
    if (!open(read) || !find_unstable(read)) continue;
    if (read.steers)
      changed |= lose(threads_[read.thread], i);
    else
      spoilt.push_back(i);
  }
  for (const std::uint32_t i : writes_) {
    Item& w = items_[i];
    if (w.tainted || !open(w) || std::ranges::none_of(spoilt, [&](std::uint32_t r) { return flows(items_[r], w); })) continue;
    w.tainted = changed = true;
  }
  return changed;
}

// May the value read be part of the value written?
bool RaceFreeAnalysis::flows(const Item& read, const Item& write) const {
  // Between two steps the order is not known, since each place is told only the first time.
  if (read.thread != write.thread || read.event > write.event) return false;
  const auto at = code_.flows.find(read.operation.site);
  return at == code_.flows.end() || std::ranges::find(at->second, write.operation.site) != at->second.end();
}

// What a join returns is certain only if all of the other thread is certain.
bool RaceFreeAnalysis::look_at_joins() {
  if (!code_.join_results) return false;
  bool changed = false;
  for (ThreadId u = 0; u < threads_.size(); ++u) {
    if (threads_[u].last == kEver) continue;
    for (std::uint32_t d = state_ + 1; d < steps_.size(); ++d) {
      const Item& item = items_[steps_[d]];
      if (item.operation.kind == INSPECT_OP_ThreadJoin && item.operation.object == inspect_thread_object(u) && certain(item))
        changed |= lose(threads_[item.thread], steps_[d]);
    }
  }
  return changed;
}

const ReachableEffects& RaceFreeAnalysis::walk(const Thread& t, std::uint32_t site, Locksets::Number held) {
  const auto content = [this](std::uint64_t cell) -> std::optional<std::uint64_t> {
    const auto at = cells_.find(cell);
    if (at == cells_.end() || unstable_cells_.contains(cell)) return std::nullopt;
    return at->second;
  };
  const WalkedCode::From from{t.entry, site, t.argument, held};
  if (const auto known = walked_.walks.find(from); known != walked_.walks.end()) {
    const auto& looked_at = known->second.looked_at;
    if (std::ranges::all_of(looked_at, [&](const auto& cell) { return content(cell.first) == cell.second; }))
      return known->second.reachable;
    outdated_.push_back(walked_.walks.extract(known));  // another thread of this check may refer to it
  }
  std::map<std::uint64_t, std::optional<std::uint64_t>> looked_at;
  ReachableEffects reachable(code_, locks_, [&](std::uint64_t cell) { return looked_at[cell] = content(cell); });
  reachable.walk(t.entry, t.argument, site, held);
  return walked_.walks.try_emplace(from, WalkedCode::Walk{std::move(reachable), std::move(looked_at)}).first->second.reachable;
}

// Makes the walks through uncertain code that are missing. False if one of them knows too little.
bool RaceFreeAnalysis::find_reachable() {
  for (Thread& t : threads_) {
    if (t.last == kEver || t.reachable) continue;
    if (mutated(Mutation::pdp_other_sides_ignored)) continue;
    if (!code_.reachable_obstacle.empty()) return give_up(code_.reachable_obstacle);
    if (t.entry == kEver) return give_up("a thread whose function is not known");
    const Item* from = &items_[t.last];
    for (std::size_t k = from->index; k-- > 0 && !code_.sites.contains(from->operation.site);) from = &items_[t.items[k]];
    // An attempt may fail in another execution: only locks held both before and after it are certainly held.
    t.reachable = &walk(t, from->operation.site, locks_.common(from->locks, from->locks_after));
    if (!t.reachable->obstacle.empty()) return give_up(t.reachable->obstacle);
  }
  return true;
}

// Is the cell written at or after `item`? A thread may have read it at any time since it began.
bool RaceFreeAnalysis::written_since(std::uint64_t cell, std::uint32_t item) const {
  return std::ranges::any_of(writes_, [&](std::uint32_t i) {
    return i >= item && overlap(cell, 8, items_[i].operation.object, items_[i].operation.size);
  });
}

// Walks took memory to hold certain values; these must be there in every execution. True if some are not.
bool RaceFreeAnalysis::check_cells() {
  bool changed = false;
  for (ThreadId t = 0; t < threads_.size(); ++t) {
    if (!threads_[t].reachable) continue;
    for (const std::uint64_t cell : threads_[t].reachable->read_cells()) {
      Item read{.thread = t, .event = kEver, .index = kEver};
      read.operation.object = cell;
      read.operation.size = 8;
      const bool stable = !find_unstable(read) && !written_since(cell, threads_[t].began) && !may_write(t, cell, 8);
      if (!stable) changed |= unstable_cells_.insert(cell).second;
    }
  }
  if (changed)
    for (Thread& t : threads_) t.reachable = nullptr;
  return changed;
}

// Finds the largest consistent set of certain items: starts with all and removes what is not certain until nothing changes.
// False if too little is known.
bool RaceFreeAnalysis::settle() {
  for (bool changed = true; changed;) {
    order();
    taint();
    if (!find_reachable()) return false;
    changed = look_at_reads();
    changed |= look_at_joins();
    if (!changed) changed = check_cells();
  }
  return true;
}

bool RaceFreeAnalysis::conflict_free() {
  const bool forgets = mutated(Mutation::pdp_forgets_the_past);
  for (const auto& [i, k] : unprotected_) {
    const Item &a = items_[i], &b = items_[k];
    if (!certain(a) || !certain(b) || (forgets && (is_past(a) || is_past(b)))) continue;
    if (is_past(a) && is_past(b)) continue;  // a race of two past accesses would have been found in this execution
    if (!ordered(a, b))
      return give_up(is_plain(a.operation) && is_plain(b.operation) ? "two accesses that no lock excludes"
                                                                    : "an access and an operation that no lock excludes");
  }
  return true;
}

// May an access that t may make race with accesses that another thread certainly makes?
bool RaceFreeAnalysis::may_meet(ThreadId t, const ReachableEffects::Access& a, const Range& range) const {
  const Item& item = items_[range.item];
  if (!(a.write || writes(item.operation)) || (a.atomic && !range.plain) || locks_.exclude(a.locks, item.locks)) return false;
  return touches(t, a, range.begin, range.end);
}

bool RaceFreeAnalysis::may_meet(ThreadId t, const ReachableEffects::Access& a, ThreadId u,
                                const ReachableEffects::Access& b) const {
  if (!(a.write || b.write) || (a.atomic && b.atomic) || locks_.exclude(a.locks, b.locks)) return false;
  if (a.at.unknown || b.at.unknown) return true;
  if (b.at.own && std::ranges::any_of(a.at.list, [&](const Place& p) { return may_be_own(u, p.first); })) return true;
  if (a.at.own && std::ranges::any_of(b.at.list, [&](const Place& p) { return may_be_own(t, p.first); })) return true;
  ReachableEffects::Access listed = a;
  listed.at.own = false;
  return std::ranges::any_of(b.at.list, [&](const Place& q) {
    return touches(t, listed, q.first, b.size ? q.last + b.size : std::max(q.end, q.last + 1));
  });
}

bool RaceFreeAnalysis::conflict_free_with_reachable() {
  for (ThreadId t = 0; t < threads_.size(); ++t) {
    if (!threads_[t].reachable) continue;
    const auto& mine = threads_[t].reachable->accesses();
    const bool meets = std::ranges::any_of(ranges_, [&](const Range& range) {
      const Item& item = items_[range.item];
      if (item.thread == t || !certain(item) || (is_past(item) && mutated(Mutation::pdp_forgets_the_past))) return false;
      if (clocks_[threads_[t].clock * threads_.size() + item.thread] >= item.index || clock_of(item, t) == kEver) return false;
      return std::ranges::any_of(mine, [&](const ReachableEffects::Access& a) { return may_meet(t, a, range); });
    });
    if (meets) return give_up("what a thread may do meets another one without a lock");
    for (ThreadId u = 0; u < t; ++u) {
      if (!threads_[u].reachable || knows_end(threads_[t], u) || knows_end(threads_[u], t)) continue;
      for (const ReachableEffects::Access& a : mine)
        for (const ReachableEffects::Access& b : threads_[u].reachable->accesses())
          if (may_meet(t, a, u, b)) return give_up("what two threads may do meets without a lock");
    }
  }
  return true;
}

bool RaceFreeAnalysis::check(std::uint32_t state) {
  return prepare(state) && settle() && conflict_free() && conflict_free_with_reachable();
}

std::vector<ThreadOperation> RaceFreeAnalysis::possible() const {
  std::vector<ThreadOperation> all;
  for (const Item& item : items_) {
    if (item.event <= state_ || !item.visible) continue;
    all.push_back({item.thread, item.operation});
    all.back().operation.flags &= static_cast<std::uint8_t>(~INSPECT_FLAG_FAILED);
  }
  Operation anything{};
  anything.kind = INSPECT_OP_AtomicSection;  // a section of which nothing is known depends on everything
  for (ThreadId t = 0; t < threads_.size(); ++t) {
    if (!threads_[t].reachable || mutated(Mutation::pdp_only_observed_behind)) continue;
    for (const ReachableEffects::Doing& d : threads_[t].reachable->operations()) {
      if (d.operation.kind != INSPECT_OP_ThreadJoin || d.operation.size) {
        all.push_back({t, d.known ? d.operation : anything});
        continue;
      }
      for (ThreadId u = 0; u < threads_.size(); ++u) {  // it may join any thread
        all.push_back({t, d.operation});
        all.back().operation.object = inspect_thread_object(u);
        all.back().operation.size = 1;
      }
    }
  }
  return all;
}

}  // namespace inspect::search
