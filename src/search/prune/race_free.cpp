#include "search/prune/race_free.hpp"

#include <algorithm>

#include "search/mutation.hpp"
#include "search/prune/accesses.hpp"

namespace inspect::search {

namespace {

constexpr std::size_t kMostPairs = 2'000'000;

// Does the operation, or what it does beside, defy this analysis altogether?
bool is_out_of_reach(const Operation& o) {
  switch (o.kind) {
    case INSPECT_OP_AtomicSection:
    case INSPECT_OP_OnceEnter:
    case INSPECT_OP_OnceDone:
    case INSPECT_OP_SignalSend:
    case INSPECT_OP_FutexWait:
    case INSPECT_OP_FutexWake:
    case INSPECT_OP_FutexResume:
    case INSPECT_OP_AssumeFailed:
    case INSPECT_OP_SpinWait:
    case INSPECT_OP_External:
      return true;
    default:
      return false;
  }
}

// The lock that is given back, or taken, so that its next owner comes after the last. Of readers and semaphores no order is
// known.
std::uint64_t released_by(const Operation& o) {
  if (o.kind == INSPECT_OP_CondWait && !(o.flags & INSPECT_FLAG_FAILED)) return o.object2;
  return o.kind == INSPECT_OP_MutexUnlock || o.kind == INSPECT_OP_WriteUnlock ? o.object : 0;
}
std::uint64_t acquired_by(const Operation& o) {
  if (o.flags & INSPECT_FLAG_FAILED) return 0;
  switch (o.kind) {
    case INSPECT_OP_MutexLock:
    case INSPECT_OP_MutexTryLock:
    case INSPECT_OP_MutexTimedLock:
    case INSPECT_OP_CondWake:
    case INSPECT_OP_ReadLock:
    case INSPECT_OP_ReadTryLock:
    case INSPECT_OP_WriteLock:
    case INSPECT_OP_WriteTryLock:
      return o.object;
    default:
      return 0;
  }
}

}  // namespace

bool RaceFree::give_up(std::string why) {
  why_ = std::move(why);
  return false;
}

bool RaceFree::prepare(std::uint32_t state) {
  state_ = state;
  why_.clear();
  if (!hopeless_.empty()) return give_up(hopeless_);
  if (!all_ended_) return give_up("a thread that did not run to its end");
  if (last_unseen_ > state) return give_up("code that is not instrumented");
  unstable_cells_.clear();
  for (Thread& t : threads_) {
    t.items.clear();
    t.last = kEver;
    t.future = nullptr;
  }
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    Item& item = items_[i];
    Thread& t = threads_[item.thread];
    t.items.push_back(i);
    item.index = static_cast<std::uint32_t>(t.items.size());
    item.tainted = false;
    if (item.event <= state) continue;
    if (is_out_of_reach(item.operation)) return give_up(std::string("an operation: ") + inspect_kind_text(item.operation.kind));
    if (item.varies && t.last == kEver && !mutated(Mutation::pdp_all_is_certain)) t.last = i;
  }
  return true;
}

bool RaceFree::certain(const Item& item) const {
  const Thread& t = threads_[item.thread];
  return t.last == kEver || item.index <= items_[t.last].index;
}

template <class F>
void RaceFree::for_each_certain(F&& f) {
  for (std::uint32_t i = 0; i < items_.size(); ++i)
    if (certain(items_[i])) f(items_[i], i);
}

// What orders the state's past, and what creation and joins order in every execution from there on.
void RaceFree::order() {
  const std::size_t n = threads_.size();
  clocks_.assign(1, Clock(n, 0));
  std::vector<std::uint32_t> now(n, 0);
  const auto change = [&](ThreadId t) -> Clock& {
    clocks_.push_back(clocks_[now[t]]);
    now[t] = static_cast<std::uint32_t>(clocks_.size() - 1);
    return clocks_.back();
  };
  const auto thread_of = [&](std::uint64_t object) {
    std::uint32_t u = 0;
    while (u < n && inspect_thread_object(u) != object) ++u;
    return u;
  };
  std::unordered_map<std::uint64_t, Clock> released;
  reads_.clear();
  writes_.clear();
  for_each_certain([&](Item& item, std::uint32_t i) {
    if (is_past(item) && item.visible) {
      if (const std::uint64_t lock = released_by(item.operation)) {
        Clock& c = released.try_emplace(lock, n, 0).first->second;
        for (std::size_t k = 0; k < n; ++k) c[k] = std::max(c[k], clocks_[now[item.thread]][k]);
        c[item.thread] = item.index;
      }
      if (const auto at = released.find(acquired_by(item.operation)); at != released.end()) {
        Clock& c = change(item.thread);
        for (std::size_t k = 0; k < n; ++k)
          if (k != item.thread) c[k] = std::max(c[k], at->second[k]);
      }
    }
    if (item.operation.kind == INSPECT_OP_ThreadCreate) {
      const std::uint32_t child = thread_of(item.operation.object);
      if (child < n) {
        clocks_.push_back(clocks_[now[item.thread]]);
        clocks_.back()[item.thread] = item.index;
        now[child] = static_cast<std::uint32_t>(clocks_.size() - 1);
      }
    } else if (item.operation.kind == INSPECT_OP_ThreadJoin) {
      const std::uint32_t u = thread_of(item.operation.object);
      if (u < n) {
        const Clock joined = clocks_[now[u]];
        Clock& c = change(item.thread);
        for (std::size_t k = 0; k < n; ++k) c[k] = std::max(c[k], joined[k]);
        c[u] = kEver;
      }
    }
    item.clock = now[item.thread];
    if (is_past(item)) return;  // what was written then is the same for all that follow
    if (!item.operation.size || is_synchronisation(item.operation)) return;
    if (is_plain(item.operation) || is_atomic(item.operation)) (writes(item.operation) ? writes_ : reads_).push_back(i);
    if (item.steers && writes(item.operation)) reads_.push_back(i);
  });
  for (std::size_t t = 0; t < n; ++t) threads_[t].clock = now[t];
  std::ranges::sort(writes_, {}, [&](std::uint32_t i) { return items_[i].operation.object; });
  longest_write_ = 0;
  for (const std::uint32_t i : writes_) longest_write_ = std::max(longest_write_, items_[i].operation.size);
}

// Does a come before b in every execution?
bool RaceFree::before(const Item& a, const Item& b) const {
  if (a.thread == b.thread) return a.index < b.index;
  return clocks_[b.clock][a.thread] >= a.index;
}

// Writes of values that may be others in another execution.
void RaceFree::taint() {
  for (std::size_t k = 0; k < writes_.size(); ++k) {
    Item& a = items_[writes_[k]];
    if (a.operation.kind == INSPECT_OP_AtomicRmw || a.operation.kind == INSPECT_OP_AtomicCas) a.tainted = true;
    for (std::size_t j = k + 1; j < writes_.size(); ++j) {
      Item& b = items_[writes_[j]];
      if (b.operation.object >= a.operation.object + a.operation.size) break;
      if (a.thread != b.thread && !ordered(a, b)) a.tainted = b.tainted = true;
    }
  }
}

// May the value it reads be another one in another execution?
bool RaceFree::find_unstable(const Item& read) const {
  if (mutated(Mutation::pdp_all_is_certain)) return false;
  const std::uint64_t begin = read.operation.object, size = read.operation.size;
  auto at = std::ranges::lower_bound(writes_, begin >= longest_write_ ? begin - longest_write_ : 0, {},
                                     [&](std::uint32_t i) { return items_[i].operation.object; });
  for (; at != writes_.end() && items_[*at].operation.object < begin + size; ++at) {
    const Item& w = items_[*at];
    if (&w == &read || !overlap(begin, size, w.operation.object, w.operation.size) || before(read, w)) continue;
    if (!before(w, read) || (w.tainted && !mutated(Mutation::pdp_no_taint))) return true;
  }
  for (ThreadId u = 0; u < threads_.size(); ++u) {
    if (u == read.thread || !threads_[u].future) continue;
    if (clocks_[threads_[u].clock][read.thread] >= read.index) continue;  // it comes before all of that
    for (const Future::Access& a : threads_[u].future->accesses()) {
      if (!a.write) continue;
      if (a.at.unknown || a.at.own) return true;
      for (const Place& p : a.at.list) {
        const std::uint64_t end = a.size ? p.last + a.size : std::max(p.end, p.last + 1);
        if (overlap(begin, size, p.first, end - p.first)) return true;
      }
    }
  }
  return false;
}

bool RaceFree::lose(Thread& thread, std::uint32_t item) {
  if (thread.last != kEver && items_[item].index >= items_[thread.last].index) return false;
  thread.last = item;
  thread.future = nullptr;
  return true;
}

// True if less is certain than before.
bool RaceFree::look_at_reads() {
  std::vector<std::uint32_t> spoilt;  // reads of values that go into memory only
  bool changed = false;
  std::vector<std::uint32_t> all(reads_);
  std::ranges::sort(all);
  for (const std::uint32_t i : all) {
    const Item& read = items_[i];
    if (!certain(read) || !find_unstable(read)) continue;
    if (read.steers)
      changed |= lose(threads_[read.thread], i);
    else
      spoilt.push_back(i);
  }
  for (const std::uint32_t i : writes_) {
    Item& w = items_[i];
    if (w.tainted || std::ranges::none_of(spoilt, [&](std::uint32_t r) { return flows(items_[r], w); })) continue;
    w.tainted = changed = true;
  }
  return changed;
}

// May what the read has read be in what is written?
bool RaceFree::flows(const Item& read, const Item& write) const {
  // Which of two comes first between two steps is not certain: only the first time is told.
  if (read.thread != write.thread || read.event > write.event) return false;
  const auto at = code_.flows.find(read.operation.site);
  return at == code_.flows.end() || std::ranges::find(at->second, write.operation.site) != at->second.end();
}

// What a join returns is certain only if all of the other thread is.
bool RaceFree::look_at_joins() {
  if (!code_.join_results) return false;
  bool changed = false;
  for (ThreadId u = 0; u < threads_.size(); ++u) {
    if (threads_[u].last == kEver) continue;
    for_each_certain([&](Item& item, std::uint32_t i) {
      if (!is_past(item) && item.operation.kind == INSPECT_OP_ThreadJoin && item.operation.object == inspect_thread_object(u))
        changed |= lose(threads_[item.thread], i);
    });
  }
  return changed;
}

const Future& RaceFree::walk(const Thread& t, std::uint32_t site, Locksets::Number held) {
  const auto content = [this](std::uint64_t cell) -> std::optional<std::uint64_t> {
    const auto at = cells_.find(cell);
    if (at == cells_.end() || unstable_cells_.contains(cell)) return std::nullopt;
    return at->second;
  };
  const WalkedCode::From from{t.entry, site, t.argument, held};
  if (const auto known = walked_.walks.find(from); known != walked_.walks.end()) {
    const auto& looked_at = known->second.looked_at;
    if (std::ranges::all_of(looked_at, [&](const auto& cell) { return content(cell.first) == cell.second; }))
      return known->second.future;
    outdated_.push_back(walked_.walks.extract(known));  // another thread of this check may refer to it
  }
  std::map<std::uint64_t, std::optional<std::uint64_t>> looked_at;
  Future future(code_, locks_, [&](std::uint64_t cell) { return looked_at[cell] = content(cell); });
  future.walk(t.entry, t.argument, site, held);
  return walked_.walks.try_emplace(from, WalkedCode::Walk{std::move(future), std::move(looked_at)}).first->second.future;
}

// The walks through what is not certain, where they are not there yet. False: one of them knows too little.
bool RaceFree::look_at_futures() {
  for (Thread& t : threads_) {
    if (t.last == kEver || t.future) continue;
    if (mutated(Mutation::pdp_other_sides_ignored)) continue;
    if (!code_.no_futures.empty()) return give_up(code_.no_futures);
    if (t.entry == kEver) return give_up("a thread whose function is not known");
    const Item* from = &items_[t.last];
    for (std::size_t k = from->index; k-- > 0 && !code_.sites.contains(from->operation.site);) from = &items_[t.items[k]];
    // An attempt may fail elsewhere: only what was held before it and is held behind it certainly is.
    t.future = &walk(t, from->operation.site, locks_.common(from->locks, from->locks_after));
    if (!t.future->hopeless.empty()) return give_up(t.future->hopeless);
  }
  return true;
}

// A thread may have read the cell at any time since it began.
bool RaceFree::written_since(std::uint64_t cell, std::uint32_t item) const {
  for (std::size_t i = item; i < items_.size(); ++i) {
    const Operation& o = items_[i].operation;
    if ((is_plain(o) || is_atomic(o)) && writes(o) && overlap(cell, 8, o.object, o.size)) return true;
  }
  return false;
}

// What futures took memory to hold must be what it holds there in every execution. True if some of it was not.
bool RaceFree::check_cells() {
  bool changed = false;
  for (ThreadId t = 0; t < threads_.size(); ++t) {
    if (!threads_[t].future) continue;
    for (const std::uint64_t cell : threads_[t].future->read_cells()) {
      Item read{.thread = t};
      read.operation.object = cell;
      read.operation.size = 8;
      read.index = kEver;
      read.clock = threads_[t].clock;
      bool stable = !find_unstable(read) && !written_since(cell, threads_[t].began);
      for (const Future::Access& a : threads_[t].future->accesses()) {
        if (!a.write) continue;
        stable &= !a.at.unknown && !a.at.own;
        for (const Place& p : a.at.list)
          stable &= !overlap(cell, 8, p.first, (a.size ? p.last + a.size : std::max(p.end, p.last + 1)) - p.first);
      }
      if (!stable) changed |= unstable_cells_.insert(cell).second;
    }
  }
  if (changed)
    for (Thread& t : threads_) t.future = nullptr;
  return changed;
}

// Certain is what stays so when all the rest is taken into account. False: too little is known.
bool RaceFree::settle() {
  for (bool changed = true; changed;) {
    order();
    taint();
    if (!look_at_futures()) return false;
    changed = look_at_reads();
    changed |= look_at_joins();
    if (!changed) changed = check_cells();
  }
  return true;
}

bool RaceFree::conflict_free() {
  // One of two accesses that race is plain.
  std::vector<std::uint32_t> plain, others;
  std::uint64_t longest = 0;
  for_each_certain([&](Item& item, std::uint32_t i) {
    if (!touches(item.operation) || (is_past(item) && mutated(Mutation::pdp_forgets_the_past))) return;
    (is_plain(item.operation) ? plain : others).push_back(i);
    longest = std::max<std::uint64_t>(longest, bytes(item.operation));
  });
  const auto object = [&](std::uint32_t i) { return items_[i].operation.object; };
  std::ranges::sort(plain, {}, object);
  std::ranges::sort(others, {}, object);
  std::size_t pairs = 0;
  for (std::size_t k = 0; k < plain.size(); ++k) {
    const Item& a = items_[plain[k]];
    const std::uint64_t end = a.operation.object + a.operation.size;
    for (std::size_t j = k + 1; j < plain.size() && object(plain[j]) < end; ++j, ++pairs)
      if (meets(a, items_[plain[j]])) return give_up("two accesses that no lock excludes");
    const std::uint64_t begin = a.operation.object >= longest ? a.operation.object - longest : 0;
    for (auto at = std::ranges::lower_bound(others, begin, {}, object); at != others.end() && object(*at) < end; ++at, ++pairs)
      if (meets(a, items_[*at])) return give_up("an access and an operation that no lock excludes");
    if (pairs > kMostPairs) return give_up("too many accesses of one object");
  }
  return true;
}

bool RaceFree::meets(const Item& a, const Item& b) const {
  if (a.thread == b.thread || !(writes(a.operation) || writes(b.operation))) return false;
  if (is_past(a) && is_past(b)) return false;  // else it would have been a race of this execution
  if (!overlap(a.operation.object, bytes(a.operation), b.operation.object, bytes(b.operation))) return false;
  return !locks_.exclude(a.locks, b.locks) && !ordered(a, b);
}

// An access of what t may do, and one that another thread certainly does.
bool RaceFree::may_meet(ThreadId t, const Future::Access& a, const Item& item) const {
  const Operation& o = item.operation;
  if (!(a.write || writes(o)) || (a.atomic && !is_plain(o)) || locks_.exclude(a.locks, item.locks)) return false;
  if (clocks_[threads_[t].clock][item.thread] >= item.index || clocks_[item.clock][t] == kEver) return false;
  if (a.at.unknown) return true;
  if (a.at.own && !(o.object >= code_.globals_begin && o.object + o.size <= code_.globals_end)) return true;
  return std::ranges::any_of(a.at.list, [&](const Place& p) {
    const std::uint64_t end = a.size ? p.last + a.size : std::max(p.end, p.last + 1);
    return overlap(p.first, end - p.first, o.object, bytes(o));
  });
}

bool RaceFree::may_meet(const Future::Access& a, const Future::Access& b) const {
  if (!(a.write || b.write) || (a.atomic && b.atomic) || locks_.exclude(a.locks, b.locks)) return false;
  if (a.at.unknown || b.at.unknown) return true;
  const auto global = [&](const Places& p) {
    return std::ranges::all_of(p.list,
                               [&](const Place& q) { return q.first >= code_.globals_begin && q.last < code_.globals_end; });
  };
  if ((a.at.own && !global(b.at)) || (b.at.own && !global(a.at))) return true;
  for (const Place& p : a.at.list) {
    const std::uint64_t p_end = a.size ? p.last + a.size : std::max(p.end, p.last + 1);
    for (const Place& q : b.at.list) {
      const std::uint64_t q_end = b.size ? q.last + b.size : std::max(q.end, q.last + 1);
      if (overlap(p.first, p_end - p.first, q.first, q_end - q.first)) return true;
    }
  }
  return false;
}

bool RaceFree::conflict_free_with_futures() {
  for (ThreadId t = 0; t < threads_.size(); ++t) {
    if (!threads_[t].future) continue;
    const auto& mine = threads_[t].future->accesses();
    bool meets = false;
    for_each_certain([&](Item& item, std::uint32_t) {
      if (meets || item.thread == t || !touches(item.operation)) return;
      if (is_past(item) && mutated(Mutation::pdp_forgets_the_past)) return;
      meets = std::ranges::any_of(mine, [&](const Future::Access& a) { return may_meet(t, a, item); });
    });
    for (ThreadId u = 0; u < t && !meets; ++u) {
      if (!threads_[u].future) continue;
      const bool apart = clocks_[threads_[t].clock][u] == kEver || clocks_[threads_[u].clock][t] == kEver;
      for (const Future::Access& a : mine)
        for (const Future::Access& b : threads_[u].future->accesses()) meets |= !apart && may_meet(a, b);
    }
    if (meets) return give_up("what a thread may do meets another one without a lock");
  }
  return true;
}

bool RaceFree::check(std::uint32_t state) {
  return prepare(state) && settle() && conflict_free() && conflict_free_with_futures();
}

std::vector<ThreadOperation> RaceFree::possible() const {
  std::vector<ThreadOperation> all;
  for (const Item& item : items_) {
    if (item.event <= state_ || !item.visible) continue;
    all.push_back({item.thread, item.operation});
    all.back().operation.flags &= static_cast<std::uint8_t>(~INSPECT_FLAG_FAILED);
  }
  Operation anything{};
  anything.kind = INSPECT_OP_AtomicSection;  // one of which nothing is known depends on everything
  for (ThreadId t = 0; t < threads_.size(); ++t) {
    if (!threads_[t].future || mutated(Mutation::pdp_only_observed_behind)) continue;
    for (const Future::Doing& d : threads_[t].future->operations()) {
      if (d.operation.kind != INSPECT_OP_ThreadJoin || d.operation.size) {
        all.push_back({t, d.known ? d.operation : anything});
        continue;
      }
      for (ThreadId u = 0; u < threads_.size(); ++u) {  // of which thread is not known
        all.push_back({t, d.operation});
        all.back().operation.object = inspect_thread_object(u);
        all.back().operation.size = 1;
      }
    }
  }
  return all;
}

}  // namespace inspect::search
