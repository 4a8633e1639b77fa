// Further operations of the model: lives of objects and threads, once, futexes, waiting loops, files, pipes, signals, exit
// handlers.
#include <algorithm>

#include "base/check.hpp"
#include "oracle/interpreter.hpp"

namespace inspect::oracle {

namespace {

ThreadSet enabled_if(bool condition) {
  ThreadSet set;
  if (condition) set.insert(0);
  return set;
}

// The members of `set` in the rank-th of its subsets of k members.
ThreadSet subset(const ThreadSet& set, unsigned k, unsigned rank) {
  for (unsigned bits = 0; bits < 1u << kModelThreads; ++bits) {
    ThreadSet members;
    for (unsigned t = 0; t < kModelThreads; ++t)
      if (bits >> t & 1) members.insert(t);
    if (static_cast<unsigned>(std::popcount(bits)) == k && set.contains_all(members) && rank-- == 0) return members;
  }
  CHECK(false, "no such subset");
  return {};
}

unsigned size(const ThreadSet& set) {
  unsigned n = 0;
  set.for_each([&](unsigned) { ++n; });
  return n;
}

}  // namespace

// The synchronisation object of an instruction, by number; -1 if it has none.
int Interpreter::sync_object(const Instruction& i) {
  constexpr unsigned kFirstCond = kLocks, kFirstRwLock = kFirstCond + kConds, kFirstSemaphore = kFirstRwLock + kRwLocks,
                     kFirstBarrier = kFirstSemaphore + kSemaphores;
  const auto number = [&](unsigned first) { return static_cast<int>(first + i.object); };
  if (i.code == Code::init_mutex || i.code == Code::destroy_mutex || i.code <= Code::unlock) return number(0);
  if (i.code == Code::destroy_condition || i.code <= Code::broadcast) return number(kFirstCond);
  if (i.code == Code::destroy_rwlock || i.code <= Code::rw_unlock) return number(kFirstRwLock);
  if (i.code == Code::destroy_semaphore || i.code <= Code::sem_value) return number(kFirstSemaphore);
  return i.code == Code::barrier || i.code == Code::destroy_barrier ? number(kFirstBarrier) : -1;
}

bool Interpreter::is_destroyed(const Instruction& i) const {
  const int object = sync_object(i);
  return object >= 0 && destroyed_ >> object & 1;
}

void Interpreter::perform_lifetime(ThreadId t, const Instruction& i) {
  const auto bit = static_cast<std::uint16_t>(1u << sync_object(i));
  if (i.code == Code::init_mutex) {
    if (!(destroyed_ & bit)) return fail(t, INSPECT_BUG_API_MISUSE, "initialised twice");
    destroyed_ &= static_cast<std::uint16_t>(~bit);
    return;
  }
  const auto locks_again = [&](unsigned w) {
    const bool waits = threads_[w].phase == Phase::waiting || threads_[w].phase == Phase::waking;
    return waits && instruction(static_cast<ThreadId>(w))->other == i.object;
  };
  bool in_use = false;
  if (i.code == Code::destroy_mutex) {
    in_use = owner_[i.object] >= 0;
    for (unsigned w = 0; w < kModelThreads; ++w) in_use |= locks_again(w);
  }
  if (i.code == Code::destroy_condition) in_use = !waiters(i.object).empty();
  if (i.code == Code::destroy_rwlock) in_use = rwlocks_[i.object].writer >= 0 || rwlocks_[i.object].is_read();
  if (i.code == Code::destroy_barrier) in_use = arrived_;
  if (in_use) return fail(t, INSPECT_BUG_API_MISUSE, "destroyed while in use");
  destroyed_ |= bit;
}

void Interpreter::perform_once(ThreadId t, const Instruction& i, Event& e) {
  std::uint8_t& once = once_[i.object];
  if (i.code != Code::once) {  // done, or left by an exception
    if (once != 2 + t) return fail(t, INSPECT_BUG_API_MISUSE, "done, but not begun");
    once = i.code == Code::once_done;
    return;
  }
  e.read = once;
  if (once == 0) {
    once = static_cast<std::uint8_t>(2 + t);
    return;
  }
  e.operation.flags |= INSPECT_FLAG_FAILED;
  threads_[t].pc = static_cast<std::uint8_t>(i.target - 1);  // the caller increments it
}

ThreadSet Interpreter::futex_waiters(unsigned cell) const {
  ThreadSet set;
  for (unsigned t = 0; t < kModelThreads; ++t)
    if (threads_[t].phase == Phase::at_futex && !threads_[t].signalled && instruction(static_cast<ThreadId>(t))->object == cell)
      set.insert(t);
  return set;
}

ThreadSet Interpreter::alternatives_of_futex(const Instruction& i) const {
  ThreadSet set = enabled_if(true);
  if (i.code != Code::futex_wake) {
    if (i.code == Code::futex_timed_wait && cells_[i.object] == i.value) set.insert(1);
    return set;
  }
  const ThreadSet waiters = futex_waiters(i.object);
  const unsigned n = size(waiters), k = static_cast<unsigned>(i.value);
  if (n <= k) return set;
  set = {};
  if (k == 1) {
    waiters.for_each([&](unsigned w) { set.insert(w + 1); });
    return set;
  }
  unsigned ways = 1;
  for (unsigned m = 1; m <= k; ++m) ways = ways * (n - k + m) / m;
  for (unsigned a = 0; a < ways; ++a) set.insert(a);
  return set;
}

void Interpreter::perform_futex(ThreadId t, const Instruction& i, std::uint16_t alternative, Event& e) {
  if (i.code == Code::futex_wake) {  // touches no memory
    ThreadSet woken = futex_waiters(i.object);
    const auto k = static_cast<unsigned>(i.value);
    if (size(woken) > k && k == 1) {
      woken = {};
      woken.insert(alternative - 1u);
    } else if (size(woken) > k) {
      woken = subset(woken, k, alternative);
    }
    woken.for_each([&](unsigned w) { threads_[w].signalled = true; });
    e.read = size(woken);
    return set(t, i, static_cast<int>(e.read));
  }
  if (freed_[i.object / kCellsPerBlock]) return fail(t, INSPECT_BUG_MEMORY_ERROR, "access to freed memory");
  e.read = static_cast<std::uint64_t>(cells_[i.object]);
  const bool waits = cells_[i.object] == i.value && !alternative;
  if (waits) {
    threads_[t].phase = Phase::at_futex;
    return;
  }
  e.operation.flags |= INSPECT_FLAG_FAILED;
  set(t, i, alternative ? 2 : 1);
}

// A turn of a waiting loop. If the value is another one, the turn was in vain, and the thread is blocked for the rest of the
// execution (docs/algorithms.md, "Waiting loops").
void Interpreter::perform_spin(ThreadId t, const Instruction& i, Event& e) {
  if (freed_[i.object / kCellsPerBlock]) return fail(t, INSPECT_BUG_MEMORY_ERROR, "access to freed memory");
  e.read = static_cast<std::uint64_t>(cells_[i.object]);
  if (cells_[i.object] != i.value) threads_[t].phase = Phase::spinning;
}

// Would it leave its loop now?
bool Interpreter::goes_on(ThreadId t) const {
  if (threads_[t].phase != Phase::spinning) return false;
  const Instruction& i = *instruction(t);
  return cells_[i.object] == i.value || freed_[i.object / kCellsPerBlock];
}

ThreadSet Interpreter::alternatives_of_environment(const Instruction& i) const {
  switch (i.code) {
    case Code::read_pipe:
      return enabled_if(pipes_[i.object]);
    case Code::write_pipe:
      return enabled_if(!pipes_[i.object]);
    default:
      return enabled_if(signalled_);
  }
}

void Interpreter::perform_environment(const Instruction& i, ThreadId t, Event& e) {
  std::uint8_t& offset = file_.offset[i.object % kFiles];
  switch (i.code) {
    case Code::read_file:
      e.read = offset < file_.length ? 1u + file_.bytes[offset++] : 0;
      return set(t, i, static_cast<int>(e.read));
    case Code::write_file:
      if (offset == kFileBytes) return;
      file_.bytes[offset++] = static_cast<std::uint8_t>(i.value);
      file_.length = std::max(file_.length, offset);
      return;
    case Code::read_pipe:
      e.read = static_cast<std::uint64_t>(pipes_[i.object] - 1);
      pipes_[i.object] = 0;
      return set(t, i, static_cast<int>(e.read));
    case Code::write_pipe:
      pipes_[i.object] = static_cast<std::int8_t>(i.value + 1);
      return;
    case Code::send_signal:
      signalled_ = true;
      return;
    case Code::take_signal:
      signalled_ = false;
      return;
    default:
      if (i.value) handlers_status_ = static_cast<std::uint8_t>(i.value);
  }
}

void Interpreter::perform_threads(ThreadId t, const Instruction& i, Event& e) {
  const auto bit = static_cast<std::uint8_t>(1u << i.object);
  const bool ended = threads_[i.object].phase == Phase::done;
  if (gone_ & bit) return fail(t, INSPECT_BUG_API_MISUSE, "use of a thread that was joined or detached");
  if (i.code == Code::try_join) {
    e.read = ended;
    set(t, i, ended);
    if (!ended) e.operation.flags |= INSPECT_FLAG_FAILED;
  }
  if (gone_matters_ && (ended || i.code == Code::detach)) gone_ |= bit;
}

}  // namespace inspect::oracle
