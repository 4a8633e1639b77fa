// What each operation of the model does.
#include "base/check.hpp"
#include "oracle/interpreter.hpp"

namespace inspect::oracle {

void Interpreter::perform(ThreadId t, std::uint16_t alternative, Event& e) {
  Thread& thread = threads_[t];
  switch (thread.phase) {
    case Phase::starting:
      thread.phase = Phase::running;
      return run_local(t);
    case Phase::waiting:
    case Phase::waking: {
      const Instruction& i = *instruction(t);
      take_mutex(t, i.other);
      if (i.code == Code::timed_wait) set(t, i, thread.timed_out);
      thread.phase = Phase::running;
      thread.signalled = thread.timed_out = false;
      ++thread.pc;
      return run_local(t);
    }
    case Phase::at_barrier:
      set(t, *instruction(t), thread.serial);
      e.read = thread.serial;
      thread.phase = Phase::running;
      thread.round_complete = thread.serial = false;
      ++thread.pc;
      return run_local(t);
    case Phase::at_futex:
      set(t, *instruction(t), 0);
      thread.phase = Phase::running;
      thread.signalled = false;
      ++thread.pc;
      return run_local(t);
    case Phase::ending:
      if (handlers_status_) status_ = static_cast<std::int8_t>(handlers_status_);
      handlers_status_ = 0;
      thread.phase = Phase::exiting;
      return;
    case Phase::exiting:
      finished_ = true;
      return;
    default:
      break;
  }
  const Instruction* i = instruction(t);
  if (!i && t == 0 && program_->main_returns) return perform_exit(t, 0, e);
  if (!i) {
    thread.phase = Phase::done;
    return;
  }
  perform_instruction(t, *i, alternative, e);
  if (bug_ != INSPECT_BUG_NONE || thread.phase != Phase::running) return;
  ++thread.pc;
  run_local(t);
}

void Interpreter::perform_instruction(ThreadId t, const Instruction& i, std::uint16_t alternative, Event& e) {
  if (is_destroyed(i) && i.code != Code::init_mutex) return fail(t, INSPECT_BUG_API_MISUSE, "use of what was destroyed");
  switch (i.code) {
    case Code::lock:
    case Code::try_lock:
    case Code::timed_lock:
    case Code::unlock:
      return perform_mutex(t, i, alternative, e);
    case Code::wait:
    case Code::timed_wait:
    case Code::signal:
    case Code::broadcast:
      return perform_condition(t, i, alternative, e);
    case Code::read_lock:
    case Code::write_lock:
    case Code::try_read_lock:
    case Code::try_write_lock:
    case Code::timed_read_lock:
    case Code::timed_write_lock:
    case Code::rw_unlock:
      return perform_rwlock(t, i, e);
    case Code::init_mutex:
    case Code::destroy_mutex:
    case Code::destroy_condition:
    case Code::destroy_rwlock:
    case Code::destroy_semaphore:
    case Code::destroy_barrier:
      return perform_lifetime(t, i);
    case Code::once:
    case Code::once_done:
    case Code::once_abort:
      return perform_once(t, i, e);
    case Code::futex_wait:
    case Code::futex_timed_wait:
    case Code::futex_wake:
      return perform_futex(t, i, alternative, e);
    case Code::spin:
    case Code::await:
      return perform_spin(t, i, e);
    case Code::fence:
      return;
    case Code::read_file:
    case Code::write_file:
    case Code::read_pipe:
    case Code::write_pipe:
    case Code::send_signal:
    case Code::take_signal:
    case Code::at_exit:
      return perform_environment(i, t, e);
    case Code::sem_wait:
    case Code::sem_try_wait:
    case Code::sem_timed_wait:
    case Code::sem_post:
    case Code::sem_value:
      return perform_semaphore(t, i, e);
    case Code::barrier:
      return perform_barrier(t, alternative);
    case Code::clock:
      e.read = ++threads_[t].clock > i.value;
      return set(t, i, static_cast<int>(e.read));
    case Code::free:
      return perform_free(t, i);
    case Code::section:
      return perform_section(t, i, e);
    case Code::choose:
      return set(t, i, alternative);
    case Code::create:
      if (threads_[i.object].phase != Phase::absent) return fail(t, INSPECT_BUG_API_MISUSE, "a thread is created twice");
      threads_[i.object].phase = Phase::starting;
      return;
    case Code::join:
    case Code::try_join:
    case Code::detach:
      return perform_threads(t, i, e);
    case Code::exit:
      return perform_exit(t, i.value, e);
    default:
      return perform_memory(t, i, e.operation, e.read, e.written);
  }
}

bool Interpreter::asks_for_owner(unsigned mutex) const { return (program_->recursive | program_->checking) >> mutex & 1; }

bool Interpreter::lock_returns(ThreadId t, unsigned mutex) const {
  return owner_[mutex] < 0 || (owner_[mutex] == t && asks_for_owner(mutex));
}

// What depends only on whether the thread itself holds the lock is known before the operation is done: other threads neither
// change nor notice it.
void Interpreter::settle_for_owner(ThreadId t, const Instruction& i, Operation& o) const {
  bool settled = false;
  switch (i.code) {
    case Code::lock:
    case Code::timed_lock:
      settled = owner_[i.object] == t && asks_for_owner(i.object);
      break;
    case Code::try_lock:
      settled = owner_[i.object] == t;
      break;
    case Code::unlock:
      settled = owner_[i.object] != t || levels_[i.object] > 1;
      break;
    case Code::wait:
    case Code::timed_wait:
      if (owner_[i.other] != t || levels_[i.other] > 1) o.object2 = o.size2 = 0;  // it does not give the mutex back
      break;
    case Code::read_lock:
    case Code::write_lock:
    case Code::try_read_lock:
    case Code::try_write_lock:
    case Code::timed_read_lock:
    case Code::timed_write_lock:
      settled = rwlocks_[i.object].writer == t && !arrives(t, i) && threads_[t].phase != Phase::leaving;
      break;
    default:
      break;
  }
  if (settled) o.flags |= INSPECT_FLAG_FAILED;
}

void Interpreter::take_mutex(ThreadId t, unsigned mutex) {
  owner_[mutex] = static_cast<std::int8_t>(t);
  ++levels_[mutex];
}

bool Interpreter::give_mutex_back(unsigned mutex) {
  if (--levels_[mutex]) return false;
  owner_[mutex] = -1;
  return true;
}

// What changes nothing for other threads has the flag FAILED: one level more or less, and an error that the owner is told.
void Interpreter::perform_mutex(ThreadId t, const Instruction& i, std::uint16_t, Event& e) {
  const bool own = owner_[i.object] == t;
  if (i.code == Code::unlock) {
    if (!own && !asks_for_owner(i.object))
      return fail(t, INSPECT_BUG_API_MISUSE, "unlock of a mutex that the thread does not hold");
    if (!own || !give_mutex_back(i.object)) e.operation.flags |= INSPECT_FLAG_FAILED;
    return;
  }
  const bool free = owner_[i.object] < 0, taken = free || (own && program_->recursive >> i.object & 1);
  if (taken) take_mutex(t, i.object);
  if (!free) e.operation.flags |= INSPECT_FLAG_FAILED;
  if (i.code != Code::lock) set(t, i, taken);
  e.read = taken;
}

void Interpreter::perform_condition(ThreadId t, const Instruction& i, std::uint16_t alternative, Event& e) {
  if (i.code == Code::signal) {
    if (alternative) threads_[alternative - 1].signalled = true;
    return;
  }
  if (i.code == Code::broadcast) {
    waiters(i.object).for_each([&](unsigned w) { threads_[w].signalled = true; });
    return;
  }
  if (owner_[i.other] != t) {
    if (!asks_for_owner(i.other)) return fail(t, INSPECT_BUG_API_MISUSE, "wait without the mutex");
    if (i.code == Code::timed_wait) set(t, i, 0);
    e.operation.flags |= INSPECT_FLAG_FAILED;
    return;
  }
  give_mutex_back(i.other);  // one level only, as glibc does it
  threads_[t].phase = alternative ? Phase::waking : Phase::waiting;
  threads_[t].timed_out = alternative == 1;
  if (alternative) e.operation.flags |= INSPECT_FLAG_FAILED;  // never among the waiters (SEMANTICS A.2)
}

void Interpreter::perform_semaphore(ThreadId t, const Instruction& i, Event& e) {
  std::uint8_t& value = semaphores_[i.object];
  if (i.code == Code::sem_post) {
    ++value;
    return;
  }
  if (i.code == Code::sem_value) {
    set(t, i, value);
    e.read = value;
    return;
  }
  e.read = value;
  const bool taken = value > 0;
  if (taken) --value;
  if (!taken) e.operation.flags |= INSPECT_FLAG_FAILED;
  if (i.code != Code::sem_wait) set(t, i, taken);
}

void Interpreter::perform_barrier(ThreadId t, std::uint16_t alternative) {
  threads_[t].phase = Phase::at_barrier;
  arrived_ |= static_cast<std::uint8_t>(1u << t);
  if (static_cast<unsigned>(std::popcount(arrived_)) < program_->barrier_size) return;
  unsigned nth = 0;
  for (unsigned i = 0; i < kModelThreads; ++i) {
    if (!(arrived_ >> i & 1)) continue;
    threads_[i].round_complete = true;
    threads_[i].serial = nth++ == alternative;
  }
  arrived_ = 0;
}

void Interpreter::perform_memory(ThreadId t, const Instruction& i, Operation& o, std::uint64_t& read, std::uint64_t& written) {
  const unsigned block = i.object / kCellsPerBlock;
  if (freed_[block]) return fail(t, INSPECT_BUG_MEMORY_ERROR, "access to freed memory");
  std::int16_t& cell = cells_[i.object];
  const std::int16_t old = cell;
  const bool wide = i.code == Code::wide_load || i.code == Code::wide_store;
  std::int16_t& low = cells_[block * kCellsPerBlock];
  std::int16_t& high = cells_[block * kCellsPerBlock + 1];
  const int seen = wide ? low + 8 * high : old;
  switch (i.code) {
    case Code::store:
    case Code::write:
      cell = i.value;
      break;
    case Code::store_register:
      cell = threads_[t].registers[i.reg];
      break;
    case Code::add:
    case Code::fetch_add:
      cell = static_cast<std::int16_t>(old + i.value);
      break;
    case Code::exchange:
      cell = i.value;
      break;
    case Code::compare_exchange:
      if (old == i.expected)
        cell = i.value;
      else
        o.flags |= INSPECT_FLAG_FAILED;
      break;
    case Code::wide_store:
      low = high = i.value;
      break;
    case Code::load:
    case Code::read:
    case Code::wide_load:
      break;
    default:
      CHECK(false, "not a memory instruction");
  }
  const bool returns = i.code == Code::load || i.code == Code::read || i.code == Code::wide_load || i.code == Code::fetch_add ||
                       i.code == Code::exchange || i.code == Code::compare_exchange;
  // Nobody reads the old value of a commuting add, so it is not part of the label.
  if (returns || i.code == Code::store || i.code == Code::store_register) read = static_cast<std::uint64_t>(seen);
  const bool fails = o.flags & INSPECT_FLAG_FAILED;
  written = static_cast<std::uint64_t>(fails ? i.expected : cell);
  if (i.code == Code::add) written = static_cast<std::uint64_t>(i.value);
  if (i.code == Code::compare_exchange)
    set(t, i, old == i.expected);
  else if (returns)
    set(t, i, seen);
}

void Interpreter::perform_free(ThreadId t, const Instruction& i) {
  bool& freed = freed_[i.object / kCellsPerBlock];
  if (freed) fail(t, INSPECT_BUG_MEMORY_ERROR, "double free");
  freed = true;
}

// Runs the section's instructions; it ends early at one that is neither memory nor local.
void Interpreter::perform_section(ThreadId t, const Instruction& i, Event& e) {
  Thread& thread = threads_[t];
  const unsigned end = thread.pc + 1u + static_cast<unsigned>(i.value);
  ++thread.pc;
  while (thread.pc < end && bug_ == INSPECT_BUG_NONE && thread.phase == Phase::running) {
    const Instruction* inner = instruction(t);
    if (!inner) break;
    if (perform_local(t, *inner)) continue;
    if (inner->code < Code::load || inner->code > Code::wide_store) break;
    Operation o = operation_of(*inner, site(t));
    std::uint64_t read = 0, written = 0;
    perform_memory(t, *inner, o, read, written);
    e.footprint.push_back(o);
    e.read = mix(e.read, read);
    ++thread.pc;
  }
  e.operation.flags |= INSPECT_FLAG_RANGES;
  --thread.pc;  // the caller increments it again
}

void Interpreter::perform_exit(ThreadId t, int status, Event& e) {
  const bool first = exiting_ < 0;
  if (first) {
    exiting_ = static_cast<std::int8_t>(t);
    status_ = static_cast<std::int8_t>(status);
  } else {
    e.operation.flags |= INSPECT_FLAG_FAILED;
  }
  threads_[t].phase = first && uses_handlers_ ? Phase::ending : Phase::exiting;
}

}  // namespace inspect::oracle
