#include "search/core/path.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "model/effects.hpp"
#include "search/causality/forgotten.hpp"

namespace inspect::search {

namespace {

const Pending& main_start() {
  static const Pending start = [] {
    Pending p;
    p.operation.kind = INSPECT_OP_ThreadStart;
    p.operation.object = inspect_thread_object(0);
    p.operation.size = 1;
    return p;
  }();
  return start;
}

// Does it conflict with every operation on an overlapping range?
bool is_barrier(const Operation& o) {
  if (inspect_is_sem_take(o.kind)) return true;
  if (o.kind == INSPECT_OP_SemPost) return false;
  if (o.kind == INSPECT_OP_AtomicRmw && (o.flags & INSPECT_FLAG_RESULT_UNUSED)) return false;
  return inspect_writes(&o);
}

// If `next` is in a race with `latest`, may races with older transitions that conflict be left out? Not if `next` may have to
// wait right before `latest`, but not before an older one (docs/algorithms.md, "Which races").
bool hides_older_races(const Operation& next, const Operation& latest, bool writers_arrive) {
  if (mutated(Mutation::arrivals_hide_races) && next.kind != INSPECT_OP_SemWait) return true;
  switch (waits_of(next.kind)) {
    case Waits::Count:
      return false;
    case Waits::Lock:
      // A writer that arrived before `latest` keeps a reader out.
      if (inspect_lock_effect_of(next.kind) == INSPECT_LOCK_Shares) return !writers_arrive && takes_lock(latest);
      return takes_lock(latest) || inspect_family_of(latest.kind) == INSPECT_FAMILY_Cond;  // the latest found it free
    case Waits::Value:                                                                     // the value may have come and gone
      return !inspect_awaits(&next);
    case Waits::Event:  // nothing undoes it, where its outcome is known; but what is in a pipe, another may take
      return outcome_of(next.kind) != Outcome::Open;
    case Waits::Never:
    case Waits::Ever:
      return true;
  }
  return false;
}

bool can_ever_move(const Operation& o) { return waits_of(o.kind) != Waits::Ever; }

bool mutated_independent(const Operation& a, const Operation& b) {
  if (forgotten(a.kind) || forgotten(b.kind)) return true;
  const auto either = [&](auto&& holds) { return holds(a) || holds(b); };
  if (mutated(Mutation::ignore_join)) return either([](const Operation& o) { return o.kind == INSPECT_OP_ThreadJoin; });
  if (mutated(Mutation::failed_attempts_ignored))
    return either([](const Operation& o) { return o.flags & INSPECT_FLAG_FAILED; });
  return false;
}

}  // namespace

Path::Path(Keep keep, const Sections& sections) : keep_(keep), sections_(&sections) {
  ensure_thread(0);
  Step& root = steps_.emplace_back();
  root.node = Tree::kRoot;
  root.enabled.insert(0);
  set_pending(0, 0, main_start());
  threads_ = 1;
  clocks_.assign(stride_, 0);
}

Label Path::label(ThreadId t, const Operation& o) const {
  Label l = sections_->label(t, o);
  if (mutated(Mutation::section_first_range_only) && !l.ranges.empty()) return {o, l.ranges.first(1), true};
  return l;
}

bool Path::depends(const Label& label_, std::uint32_t d) const {
  const Label other = label(d);
  if (mutated(Mutation::ignore_second_object)) {
    Operation a = label_.operation, b = other.operation;
    a.size2 = b.size2 = 0;
    return dependent({a, label_.ranges, label_.is_section}, {b, other.ranges, other.is_section});
  }
  return !mutated_independent(label_.operation, other.operation) && dependent(label_, other);
}

const Pending* Path::pending(std::uint32_t state, ThreadId t) const {
  if (t >= pendings_.size()) return nullptr;
  const auto& history = pendings_[t];
  for (std::size_t i = history.size(); i-- > 0;)
    if (history[i].state <= state) return history[i].pending;
  return nullptr;
}

bool Path::precedes_after(std::uint32_t state, ThreadId t, ThreadId of) const {
  if (t == of) return true;
  const std::uint32_t known = clock_of(of)[t];
  return known > 0 && own_[t][known - 1] > state;
}

ThreadSet Path::initials(std::uint32_t d, ThreadId t) const {
  // For each thread, the number of its first transition after d, if that does not happen after d; else ~0. Once one transition
  // of a thread happens after d, so do all that follow in that thread.
  std::uint32_t began[kMaxThreads];
  std::fill_n(began, stride_, ~0u);
  ThreadSet candidates;
  const std::uint32_t count = steps_[d].count;
  const ThreadId of = steps_[d].thread;
  for (unsigned q = 0; q < threads_; ++q) {
    const auto& own = own_[q];
    if (q == of || own.empty() || own.back() <= d) continue;
    const std::uint32_t j = *std::upper_bound(own.begin(), own.end(), d);
    if (clocks_[static_cast<std::size_t>(j) * stride_ + of] >= count) continue;
    began[q] = steps_[j].count;
    candidates.insert(q);
  }
  const auto preceded_by = [&](const std::uint32_t* clock) {  // the number of candidates that happen before
    unsigned n = 0;
    for (unsigned q = 0; q < stride_; ++q) n += clock[q] >= began[q];
    return n;
  };
  ThreadSet first;
  candidates.for_each([&](unsigned q) {
    const std::uint32_t j = own_[q][began[q] - 1];
    if (preceded_by(&clocks_[static_cast<std::size_t>(j) * stride_]) == 1) first.insert(q);  // itself
  });
  if (!candidates.contains(t) && !preceded_by(clock_of(t)) && !has_dependent(label(t, pending(t)->operation), d))
    first.insert(t);
  return first;
}

// Does `next` depend on a transition after the one at depth d that does not happen after it?
bool Path::has_dependent(const Label& next, std::uint32_t d) const {
  const auto precedes = [&](std::uint32_t j) { return !is_after(j, d) && depends(next, j); };
  bool found = false;
  if (next.depends_on_all()) {
    for (std::uint32_t j = d + 1; j <= depth() && !found; ++j) found = precedes(j);
    return found;
  }
  for_each_range(next, [&](AccessIndex::RangeId touched) {
    for (const AccessIndex::RangeId r : index_.overlapping(touched)) {
      const auto& entries = index_.entries(r);
      for (std::size_t i = entries.size(); i-- > 0 && entries[i].depth > d && !found;) found = precedes(entries[i].depth);
    }
  });
  return found;  // a transition that depends on everything happens after d, so it cannot be one
}

void Path::find_races(ThreadId t, const Label& next, std::vector<std::uint32_t>& out) const {
  if (next.operation.kind == INSPECT_OP_ProcessEnd) return;  // nothing can come after it
  const std::size_t begin = out.size();
  for_each_conflict(next, t, [&](std::uint32_t d) {
    if (!may_be_reversed(d, next.operation, t)) return false;
    if (std::find(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), d) == out.end()) out.push_back(d);
    return hides_older_races(next.operation, operation(d), arrivals_ > 0);
  });
}

// One pass over earlier transitions computes both. The clock is that of the thread joined with those of all transitions that
// `next` depends on. The races are those of the latter that do not already happen before `next` through its thread.
void Path::foresee(ThreadId t, const Label& next) {
  const std::uint32_t d = depth() + 1;
  ensure_thread(t);
  races_.resize(races_end_);
  clocks_.resize(static_cast<std::size_t>(d + 1) * stride_);
  std::copy_n(clock_of(t), stride_, &clocks_[static_cast<std::size_t>(d) * stride_]);
  if (next.depends_on_all()) {
    foresee_all(t, next);
  } else {
    for_each_range(next, [&](AccessIndex::RangeId touched) { foresee_range(t, next, touched); });
    for (std::size_t i = on_all_.size(); i-- > 0;) {
      if (happens_before(on_all_[i], t)) break;
      join(&clocks_[static_cast<std::size_t>(d) * stride_], on_all_[i]);
      if (note_race(on_all_[i], t, next.operation)) break;
    }
  }
  foreseen_ = true;
}

void Path::foresee_all(ThreadId t, const Label& next) {
  if (next.operation.kind != INSPECT_OP_ProcessEnd) {  // nothing can come after it
    for (std::uint32_t k = depth(); k > 0; --k)
      if (!happens_before(k, t)) note_race(k, t, next.operation);
  }
  join_all(depth() + 1);
}

void Path::foresee_range(ThreadId t, const Label& next, AccessIndex::RangeId touched) {
  std::uint32_t* const clock = &clocks_[static_cast<std::size_t>(depth() + 1) * stride_];
  const std::uint32_t* const known = clock_of(t);
  for (const AccessIndex::RangeId r : index_.overlapping(touched)) {
    const auto& entries = index_.entries(r);
    bool ordering = true, racing = true;  // do older entries still matter to the clock, and to the races?
    ThreadSet settled;                    // threads with a transition here that happens before; their older ones do so too
    settled.insert(t);
    for (std::size_t i = entries.size(); i-- > 0 && (ordering || racing) && !settled.contains_all(index_.threads(r));) {
      const std::uint32_t k = entries[i].depth;
      const bool barrier = entries[i].barrier;
      const Step& s = steps_[k];
      const bool is_known = s.thread == t || known[s.thread] >= s.count;
      if (is_known && !mutated(Mutation::race_ignores_order)) {
        if (barrier) break;
        settled.insert(s.thread);
        i = entries[i].first;  // its directly preceding entries happen before too
        continue;
      }
      if ((racing || clock[s.thread] < s.count) && depends(next, k)) {
        if (ordering && clock[s.thread] < s.count) join(clock, k);
        if (racing && s.thread != t && note_race(k, t, next.operation) && barrier) racing = false;
      }
      if (barrier) ordering = false;  // everything older on this range happens before it
    }
  }
}

// True if older ones on the same range need not be looked at.
bool Path::note_race(std::uint32_t d, ThreadId t, const Operation& next) {
  if (!may_be_reversed(d, next, t)) return false;
  if (std::find(races_.begin() + races_end_, races_.end(), d) == races_.end()) races_.push_back(d);
  return hides_older_races(next, operation(d), arrivals_ > 0);
}

void Path::ensure_thread(ThreadId t) {
  if (t < own_.size()) return;
  const std::size_t n = t + 1u;
  own_.resize(n);
  created_.resize(n);
  pendings_.resize(n);
  locks_.resize(n);
  if (n > stride_) widen_clocks(static_cast<unsigned>(n));
}

void Path::widen_clocks(unsigned threads) {
  const unsigned wider = std::max(2 * stride_, (threads + 7) / 8 * 8);
  const std::size_t rows = clocks_.size() / stride_;
  std::vector<std::uint32_t> copy(rows * wider, 0);
  for (std::size_t i = 0; i < rows; ++i) std::copy_n(&clocks_[i * stride_], stride_, &copy[i * wider]);
  clocks_ = std::move(copy);
  stride_ = wider;
}

void Path::set_pending(std::uint32_t state, ThreadId t, const Pending& next) {
  pendings_[t].push_back({state, &next});
  if (can_ever_move(next.operation))
    movable_.insert(t);
  else
    movable_.erase(t);
}

void Path::push(NodeId node, const Event& event) {
  const ThreadId t = event.choice.thread;
  ensure_thread(t);
  for (const PendingChange& c : event.changes) ensure_thread(c.thread);
  CHECK(!pendings_[t].empty(), "a thread moved before it was created");
  const Label own = label(t, event.operation);
  if (keep_ != Keep::transitions && !foreseen_) foresee(t, own);
  foreseen_ = false;
  const auto d = static_cast<std::uint32_t>(steps_.size());
  Step& s = steps_.emplace_back();
  s.node = node;
  s.thread = t;
  s.on_all = own.depends_on_all();
  s.count = static_cast<std::uint32_t>(own_[t].size()) + 1;
  s.touched = static_cast<std::uint32_t>(touched_.size());
  s.changed = static_cast<std::uint32_t>(changed_.size());
  s.threads = threads_;
  s.event = &event;
  s.operation = event.operation;
  s.races = std::exchange(races_end_, static_cast<std::uint32_t>(races_.size()));
  s.taken = pendings_[t].back().pending;
  s.enabled = event.enabled;
  s.movable = movable_;
  if (keep_ != Keep::transitions) {
    clocks_[static_cast<std::size_t>(d) * stride_ + t] = s.count;
    record_accesses(d, own);
    update_locks(s);
  }
  own_[t].push_back(d);
  arrivals_ += s.operation.kind == INSPECT_OP_WriteArrive;
  set_pending(d, t, event.next);
  for (const PendingChange& c : event.changes) {
    if (pendings_[c.thread].empty()) created_[c.thread] = d;
    set_pending(d, c.thread, c.pending);
    changed_.push_back(c.thread);
    threads_ = std::max(threads_, c.thread + 1u);
  }
}

void Path::pop() {
  const Step& s = steps_.back();
  const auto d = static_cast<std::uint32_t>(steps_.size()) - 1;
  CHECK(d > 0);
  for (; changed_.size() > s.changed; changed_.pop_back()) pendings_[changed_.back()].pop_back();
  pendings_[s.thread].pop_back();
  own_[s.thread].pop_back();
  arrivals_ -= s.operation.kind == INSPECT_OP_WriteArrive;
  for (; touched_.size() > s.touched; touched_.pop_back()) index_.pop(touched_.back());
  if (!on_all_.empty() && on_all_.back() == d) on_all_.pop_back();
  locks_[s.thread] = s.locks_before;
  threads_ = s.threads;
  movable_ = s.movable;
  races_end_ = s.races;
  foreseen_ = false;
  steps_.pop_back();
}

void Path::join(std::uint32_t* into, std::uint32_t from_depth) const {
  const std::uint32_t* from = &clocks_[static_cast<std::size_t>(from_depth) * stride_];
  for (unsigned i = 0; i < stride_; ++i) into[i] = std::max(into[i], from[i]);
}

void Path::join_all(std::uint32_t d) {
  for (unsigned t = 0; t < threads_; ++t)
    if (!own_[t].empty()) join(&clocks_[static_cast<std::size_t>(d) * stride_], own_[t].back());
}

void Path::record_accesses(std::uint32_t d, const Label& own) {
  if (steps_[d].on_all) {
    on_all_.push_back(d);
    return;
  }
  if (!own.is_section) return record_access(d, own.operation);
  for (const Operation& o : own.ranges) record_access(d, o);
}

void Path::record_access(std::uint32_t d, const Operation& o) {
  const auto record = [&](std::uint64_t object, std::uint32_t size, bool barrier) {
    const AccessIndex::RangeId r = index_.range(object, size);
    index_.push(r, {d, barrier}, steps_[d].thread);
    touched_.push_back(r);
  };
  if (o.size) record(o.object, o.size, is_barrier(o));
  if (o.size2) record(o.object2, o.size2, true);
}

Lockset Path::lock_bit(std::uint64_t object, std::uint32_t size) {
  const AccessIndex::RangeId r = index_.range(object, size ? size : 1);
  if (r >= lock_number_.size()) lock_number_.resize(r + 1, 0);
  if (!lock_number_[r]) {
    if (locks_by_number_.size() == 64) return 0;
    locks_by_number_.emplace_back(object, size ? size : 1);
    lock_number_[r] = static_cast<std::uint8_t>(locks_by_number_.size());
  }
  return Lockset{1} << (lock_number_[r] - 1);
}

// Keeps only exclusively held locks; a wait gives its mutex back (SEMANTICS H.5).
void Path::update_locks(Step& s) {
  const Operation& o = s.operation;
  Lockset& held = locks_[s.thread];
  s.locks_before = held;
  switch (inspect_lock_effect_of(o.kind)) {
    case INSPECT_LOCK_Shares:
      if (!mutated(Mutation::shared_locks_exclude)) break;
      [[fallthrough]];
    case INSPECT_LOCK_Takes:
      if (!failed(o)) held |= lock_bit(o.object, o.size);
      break;
    case INSPECT_LOCK_Gives:
    case INSPECT_LOCK_Clears:
      held &= ~lock_bit(o.object, o.size);
      break;
    case INSPECT_LOCK_GivesSecond:
      if (!mutated(Mutation::wait_keeps_lock)) held &= ~lock_bit(o.object2, o.size2);
      break;
    case INSPECT_LOCK_None:
      if (o.kind == INSPECT_OP_AtomicSection) held = 0;  // what it releases inside is not known
      break;
  }
}

}  // namespace inspect::search
