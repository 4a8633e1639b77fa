#include "search/causality/reversal.hpp"

#include <algorithm>

#include "model/effects.hpp"
#include "search/causality/coenabled.hpp"

namespace inspect::search {

namespace {

// May it come out otherwise after other transitions, and then depend on others?
bool may_change(const Operation& o) {
  const Outcome outcome = outcome_of(o.kind);
  return outcome == Outcome::Attempt || outcome == Outcome::Open;
}

bool takes_semaphore(const Operation& o) {
  return !failed(o) && inspect_is_sem_take(o.kind) && o.kind != INSPECT_OP_SemDestroy;
}

}  // namespace

void Reversal::independent_of(const Path& path, std::uint32_t d) {
  path_ = &path;
  d_ = d;
  j_ = path.depth() + 1;
  in_.assign(path.depth() + 2, 0);
  before_.assign(path.depth() + 2, 0);
  for (std::uint32_t k = d + 1; k <= path.depth(); ++k) in_[k] = !path.is_after(k, d);
}

bool Reversal::compute(const Path& path, std::uint32_t d, std::uint32_t j, ThreadId t, const Operation& o,
                       std::uint16_t alternative) {
  independent_of(path, d);
  j_ = j;
  choice = {t, alternative};
  operation = o;
  exact = foretold = true;
  const bool settled = is_held_by_itself();
  if (may_change(o) && !settled) operation.flags &= static_cast<std::uint8_t>(~INSPECT_FLAG_FAILED);
  find_predecessors();
  if (settled)  // a thread that waits for a lock of its own does so in every order
    return j <= path.depth() && (operation.kind != INSPECT_OP_CondWake || woken());
  return settle_label();
}

// Another alternative of the transition at depth d.
void Reversal::compute_other(const Path& path, std::uint32_t d, std::uint16_t alternative) {
  independent_of(path, d);
  choice = {path.thread(d), alternative};
  foretold = true;
  operation = path.taken(d).operation;
  exact = operation.kind == INSPECT_OP_Choice || operation.kind == INSPECT_OP_CondWait ||
          operation.kind == INSPECT_OP_CondSignal || operation.kind == INSPECT_OP_BarrierArrive;
  if (operation.kind == INSPECT_OP_CondWait && alternative) operation.flags |= INSPECT_FLAG_FAILED;
  find_predecessors();
}

// What comes before e' in its own thread or by dependence, and what comes before that.
void Reversal::find_predecessors() {
  const std::uint32_t end = path_->depth();
  if (j_ <= end && !may_change(operation)) {
    for (std::uint32_t k = d_ + 1; k < j_; ++k) before_[k] = in_[k] && path_->is_after(j_, k);
    return;
  }
  const ThreadId t = choice.thread;
  const Label label = path_->label(t, operation);
  touching_.clear();
  for (std::uint32_t k = end; k > d_; --k) {
    if (!in_[k] || k == j_) continue;
    const bool direct = path_->thread(k) == t || path_->depends(label, k);
    before_[k] = direct || std::ranges::any_of(touching_, [&](std::uint32_t m) { return path_->is_after(m, k); });
    if (direct) touching_.push_back(k);
  }
}

bool Reversal::places(const Operation& o) { return outcome_of(o.kind) != Outcome::Open; }

bool Reversal::is_certain(const Operation& o) { return outcome_of(o.kind) == Outcome::Sure; }

// Calls f(depth, operation) for the transitions before e' that touch the object, in their order.
template <class F>
void Reversal::for_each_before(std::uint64_t object, std::uint32_t size, F&& f) {
  touching_.clear();
  path_->for_each_touching(object, size, [&](std::uint32_t k) {
    if (was_there(k)) touching_.push_back(k);
  });
  std::ranges::sort(touching_);
  const auto repeated = std::ranges::unique(touching_);
  touching_.erase(repeated.begin(), repeated.end());
  for (const std::uint32_t k : touching_) f(k, path_->operation(k));
}

// The acquisition that still holds the mutex; 0 if it is free.
std::uint32_t Reversal::holder_of_mutex() {
  std::uint32_t holder = 0;
  for_each_before(operation.object, operation.size, [&](std::uint32_t k, const Operation& o) {
    switch (inspect_lock_effect_of(o.kind)) {
      case INSPECT_LOCK_Takes:
        if (!failed(o)) holder = k;
        break;
      case INSPECT_LOCK_Gives:
        if (!failed(o)) holder = 0;  // one that fails leaves it, or a level of it, held
        break;
      case INSPECT_LOCK_GivesSecond:
        if (holder && path_->thread(k) == path_->thread(holder)) holder = 0;  // else it failed
        break;
      case INSPECT_LOCK_Clears:
        holder = 0;
        break;
      case INSPECT_LOCK_Shares:  // no mutex
      case INSPECT_LOCK_None:
        break;
    }
  });
  return holder;
}

// Does the thread of e' itself hold the lock? Then other threads do not change how its acquisition comes out: a deadlock, an
// error, or one level more. What a thread itself did before e' stays before it.
bool Reversal::is_held_by_itself() {
  if (!inspect_acquires(operation.kind)) return false;
  const std::uint32_t holder =
      inspect_family_of(operation.kind) == INSPECT_FAMILY_Mutex ? holder_of_mutex() : writer_of_rwlock();
  return holder && path_->thread(holder) == choice.thread && !mutated(Mutation::own_locks_block);
}

// The acquisition that still holds the lock for writing; 0 if nobody does.
std::uint32_t Reversal::writer_of_rwlock() {
  std::uint32_t writer = 0;
  for_each_before(operation.object, operation.size, [&](std::uint32_t k, const Operation& o) {
    if (takes_lock(o)) writer = k;
    if (o.kind == INSPECT_OP_WriteUnlock || o.kind == INSPECT_OP_RwLockDestroy) writer = 0;
  });
  return writer;
}

// An acquisition that keeps a reader, or a writer, out; 0 if there is none.
std::uint32_t Reversal::blocker_of_rwlock(bool writes) {
  if (const std::uint32_t writer = writer_of_rwlock()) return writer;
  std::uint32_t holder[kMaxThreads] = {}, depth[kMaxThreads] = {}, arrival[kMaxThreads] = {};
  ThreadSet readers, waiting;
  for_each_before(operation.object, operation.size, [&](std::uint32_t k, const Operation& o) {
    const ThreadId t = path_->thread(k);
    if (takes_lock(o)) {
      waiting.erase(t);
    } else if (shares_lock(o)) {
      readers.insert(t);
      if (!depth[t]++) holder[t] = k;
    } else if (o.kind == INSPECT_OP_ReadUnlock) {
      if (depth[t] && --depth[t] == 0) readers.erase(t);
    } else if (o.kind == INSPECT_OP_WriteArrive) {
      waiting.insert(t);
      arrival[t] = k;
    } else if (o.kind == INSPECT_OP_WriteLeave) {
      waiting.erase(t);
    } else if (o.kind == INSPECT_OP_RwLockDestroy) {  // free, or nobody waits: a misuse
      readers = waiting = {};
    }
  });
  if (!writes) return waiting.empty() ? 0 : arrival[waiting.first()];
  return readers.empty() ? 0 : holder[readers.first()];
}

// Is the semaphore's value positive in the new place of e'? It is the value that e' found (0 if e' waits at the end), corrected
// by the posts and takes that no longer precede it. After a destruction and a new initialisation the value is not known and
// counts as positive; if it is not, the search falls back.
bool Reversal::semaphore_available() const {
  std::int64_t value = 0;
  bool renewed = false;
  if (j_ <= path_->depth()) value = static_cast<std::int64_t>(path_->event(j_).read);
  path_->for_each_touching(operation.object, operation.size, [&](std::uint32_t k) {
    renewed |= path_->operation(k).kind == INSPECT_OP_SemDestroy;
    if (k >= j_ || was_there(k)) return;
    if (path_->operation(k).kind == INSPECT_OP_SemPost && !failed(path_->operation(k))) --value;
    if (takes_semaphore(path_->operation(k))) ++value;
  });
  return value > 0 || renewed;
}

// The alternative of a signal: 1 + the lowest number of a waiting thread; 0 if none waits.
std::uint16_t Reversal::waiter() const {
  ThreadSet waiting;
  Reversal& self = const_cast<Reversal&>(*this);
  self.for_each_before(operation.object, operation.size, [&](std::uint32_t k, const Operation& o) {
    if (o.kind == INSPECT_OP_CondWait && !failed(o)) waiting.insert(path_->thread(k));
    if (o.kind == INSPECT_OP_CondBroadcast) waiting = {};
    if (o.kind == INSPECT_OP_CondSignal && path_->event(k).choice.alternative)
      waiting.erase(path_->event(k).choice.alternative - 1u);
  });
  return static_cast<std::uint16_t>(waiting.empty() ? 0 : waiting.first() + 1);
}

// Removes the acquisition, and all that happens after it, from the sequence.
void Reversal::remove(std::uint32_t blocker) {
  for (std::uint32_t k = blocker; k <= path_->depth(); ++k)
    if (k == blocker || path_->is_after(k, blocker)) in_[k] = before_[k] = 0;
}

// Removes the acquisition that blocks e'. False if it lies before e, or if e' can no longer be reached.
bool Reversal::wait_for(std::uint32_t blocker) {
  if (blocker < d_ || mutated(Mutation::acquisitions_stay)) return false;
  remove(blocker);
  const ThreadId t = choice.thread;
  std::uint32_t own = j_ <= path_->depth() ? path_->previous_of(j_) : path_->last_of(t);
  for (; own > d_; own = path_->previous_of(own))
    if (!in_[own]) return false;
  return true;
}

// Is the signal that woke it still there? A wait that timed out needs none.
bool Reversal::woken() {
  if (!operation.size2) return true;
  const std::uint32_t wait = j_ <= path_->depth() ? path_->previous_of(j_) : path_->last_of(choice.thread);
  std::uint32_t waker = path_->depth() + 1;
  path_->for_each_touching(operation.object2, operation.size2, [&](std::uint32_t k) {
    const Operation& o = path_->operation(k);
    const bool wakes = o.kind == INSPECT_OP_CondBroadcast ||
                       (o.kind == INSPECT_OP_CondSignal && path_->event(k).choice.alternative == choice.thread + 1u);
    if (k > wait && wakes) waker = std::min(waker, k);
  });
  return waker < j_ && was_there(waker);
}

// Is the transition that enabled e', the last arrival of its round, still there?
bool Reversal::complete_round() {
  const std::uint32_t own = j_ <= path_->depth() ? path_->previous_of(j_) : path_->last_of(choice.thread);
  if (j_ > path_->depth() && !path_->enabled(path_->depth()).contains(choice.thread)) return false;
  std::uint32_t s = j_ - 1;
  while (s > own && path_->enabled(s - 1).contains(choice.thread)) --s;
  return was_there(s);
}

void Reversal::settle_attempt(bool succeeds) {
  if (!succeeds) operation.flags |= INSPECT_FLAG_FAILED;
  const bool timed = operation.kind == INSPECT_OP_MutexTimedLock || operation.kind == INSPECT_OP_ReadTimedLock ||
                     operation.kind == INSPECT_OP_WriteTimedLock || operation.kind == INSPECT_OP_SemTimedWait;
  choice.alternative = timed && !succeeds ? 1 : 0;
}

// Likewise, an initialisation. Before who began it nobody has done it; before who ended it somebody is within, and has to be
// left out. False if that is not possible.
bool Reversal::settle_once() {
  for (;;) {
    const std::uint32_t first = first_change_gone();
    if (first == j_) {
      if (j_ > path_->depth()) return false;  // somebody is within, and stays
      settle_attempt(!failed(path_->event(j_).operation));
      return true;
    }
    const Operation& o = path_->operation(first);
    const bool same = o.object == operation.object && o.size == operation.size;
    if (same && o.kind == INSPECT_OP_OnceEnter) {
      settle_attempt(true);
      return true;
    }
    std::uint32_t begun = 0;
    path_->for_each_touching(operation.object, operation.size, [&](std::uint32_t k) {
      const bool begins = path_->operation(k).kind == INSPECT_OP_OnceEnter && !failed(path_->operation(k));
      if (begins && k < first && path_->thread(k) == path_->thread(first)) begun = std::max(begun, k);
    });
    if (!same || o.kind != INSPECT_OP_OnceDone || !begun) {
      settle_unknown();
      return true;
    }
    if (!wait_for(begun)) return false;
  }
}

// How the operation comes out there is not known.
void Reversal::settle_open() {
  exact = false;
  choice.alternative = kAnyAlternative;
}

// The first transition that changed the object before e' and does so no longer; j if there is none.
std::uint32_t Reversal::first_change_gone() const {
  std::uint32_t first = j_;
  path_->for_each_touching(operation.object, operation.size, [&](std::uint32_t k) {
    if (k < first && !was_there(k) && inspect_writes(&path_->operation(k))) first = k;
  });
  return first;
}

void Reversal::settle_unknown() {
  foretold = false;
  settle_open();
}

// A compare-exchange finds what the first write found that comes before it no longer, if that wrote all of it: whatever else
// writes there comes after that write, so it is gone too.
void Reversal::settle_exchange() {
  const std::uint32_t first = first_change_gone();
  const Event& own = path_->event(j_);
  if (first == j_ || mutated(Mutation::exchanges_stay)) return settle_attempt(!failed(own.operation));
  if (!replaces_value(path_->operation(first), operation)) return settle_unknown();
  const std::uint64_t expected = failed(own.operation) ? own.written : own.read;
  settle_attempt(path_->event(first).read == expected);
}

bool Reversal::first_exit() {  // no other thread has called exit before; the own thread may have, and now runs a handler
  bool counts = true;
  for_each_before(operation.object, operation.size, [&](std::uint32_t k, const Operation& o) {
    if (o.kind == INSPECT_OP_ProcessExit && !failed(o)) counts = path_->thread(k) == choice.thread;
  });
  return counts;
}

bool Reversal::thread_ended() {
  bool ended = false;
  for_each_before(operation.object, operation.size,
                  [&](std::uint32_t, const Operation& o) { ended |= o.kind == INSPECT_OP_ThreadExit; });
  return ended;
}

bool Reversal::writes_lock() const { return inspect_effect_of(operation.kind) == INSPECT_EFFECT_Write; }

// Settles an operation that either succeeds or fails (Outcome::Attempt).
void Reversal::settle_outcome() {
  switch (inspect_family_of(operation.kind)) {
    case INSPECT_FAMILY_Mutex:
      return settle_attempt(!holder_of_mutex());
    case INSPECT_FAMILY_RwLock:
      return settle_attempt(!blocker_of_rwlock(writes_lock()));
    case INSPECT_FAMILY_Process:
      return settle_attempt(first_exit());
    case INSPECT_FAMILY_Thread:
      return settle_attempt(thread_ended());
    case INSPECT_FAMILY_Memory:  // of this outcome a compare-exchange alone
      return j_ <= path_->depth() ? settle_exchange() : settle_open();
    case INSPECT_FAMILY_Cond:
    case INSPECT_FAMILY_Semaphore:
    case INSPECT_FAMILY_Barrier:
    case INSPECT_FAMILY_Once:  // settle_once()
    case INSPECT_FAMILY_Local:
      return settle_open();
  }
}

bool Reversal::settle_lock() {
  const bool wakes = operation.kind == INSPECT_OP_CondWake;
  if (wakes && !woken()) return false;
  const bool mutex = inspect_family_of(operation.kind) == INSPECT_FAMILY_Mutex;
  while (const std::uint32_t k = mutex ? holder_of_mutex() : blocker_of_rwlock(writes_lock()))
    if (!wait_for(k)) return false;
  return !wakes || woken();
}

bool Reversal::settle_semaphore() {
  const bool enabled_at_end = j_ > path_->depth() && path_->enabled(path_->depth()).contains(choice.thread);
  if (!enabled_at_end) return semaphore_available();
  settle_open();  // its value is not known
  return true;
}

// How e' comes out after what precedes it; false if it is blocked there.
bool Reversal::settle_label() {
  if (choice.alternative == kAnyAlternative && operation.kind != INSPECT_OP_Choice) choice.alternative = 0;
  const Outcome outcome = outcome_of(operation.kind);
  if (operation.kind == INSPECT_OP_OnceEnter) return settle_once();
  if (outcome == Outcome::Open) settle_open();
  if (outcome == Outcome::Attempt) settle_outcome();
  if (outcome == Outcome::Open || outcome == Outcome::Attempt) return true;
  switch (waits_of(operation.kind)) {
    case Waits::Lock:
      return settle_lock();
    case Waits::Count:
      return settle_semaphore();
    case Waits::Event:  // others' ends, and exits, come before it whatever is reversed
      return operation.kind != INSPECT_OP_BarrierLeave || complete_round();
    case Waits::Never:
      if (operation.kind == INSPECT_OP_CondSignal) choice.alternative = waiter();
      if (operation.kind == INSPECT_OP_BarrierArrive) choice.alternative = 0;
      return true;
    case Waits::Value:
    case Waits::Ever:
      return true;
  }
  return true;
}

}  // namespace inspect::search
