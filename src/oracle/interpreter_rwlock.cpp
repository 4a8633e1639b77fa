// Read-write locks of the model, with and without preference for writers (SEMANTICS D).
#include <algorithm>

#include "oracle/interpreter.hpp"

namespace inspect::oracle {

bool Interpreter::RwLock::is_read() const {
  return std::ranges::any_of(depth, [](std::uint8_t d) { return d > 0; });
}

// A preferred writer arrives, as an operation of its own, before it waits.
bool Interpreter::arrives(ThreadId t, const Instruction& i) const {
  return threads_[t].phase == Phase::running && (i.code == Code::write_lock || i.code == Code::timed_write_lock) &&
         program_->prefers_writers >> i.object & 1;
}

ThreadSet Interpreter::alternatives_of_rwlock(const Instruction& i, ThreadId t) const {
  const RwLock& l = rwlocks_[i.object];
  const bool reads = i.code == Code::read_lock || i.code == Code::timed_read_lock;
  const bool timed = i.code == Code::timed_read_lock || i.code == Code::timed_write_lock;
  // A thread that already holds the lock for writing is told so.
  const bool returns = arrives(t, i) || l.writer == t || (reads ? l.open_to_readers() : l.open_to_writer());
  ThreadSet set;
  if (returns || timed) set.insert(returns ? 0 : 1);
  return set;
}

void Interpreter::perform_rwlock(ThreadId t, const Instruction& i, Event& e) {
  RwLock& l = rwlocks_[i.object];
  Phase& phase = threads_[t].phase;
  const auto bit = static_cast<std::uint8_t>(1u << t);
  if (i.code == Code::rw_unlock) {
    if (l.depth[t])
      --l.depth[t];
    else if (l.writer == t)
      l.writer = -1;
    else
      fail(t, INSPECT_BUG_API_MISUSE, "unlock of a read-write lock that the thread does not hold");
    return;
  }
  if (arrives(t, i)) {
    l.waiting |= bit;
    phase = Phase::arrived;
    return;
  }
  const bool reads = i.code == Code::read_lock || i.code == Code::try_read_lock || i.code == Code::timed_read_lock;
  const bool gives_up = phase == Phase::leaving;
  const bool taken = !gives_up && (reads ? l.open_to_readers() : l.open_to_writer());
  if (gives_up || (taken && !reads)) l.waiting &= static_cast<std::uint8_t>(~bit);
  if (taken && reads) ++l.depth[t];
  if (taken && !reads) l.writer = static_cast<std::int8_t>(t);
  if (!taken && !gives_up) e.operation.flags |= INSPECT_FLAG_FAILED;
  if (i.code != Code::read_lock && i.code != Code::write_lock) set(t, i, taken);
  e.read = taken;
  phase = phase == Phase::arrived && !taken ? Phase::leaving : Phase::running;
}

}  // namespace inspect::oracle
