#include "oracle/interpreter.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "hooks/dependence.h"

namespace inspect::oracle {

namespace {

constexpr std::uint64_t kCellAddress = 0x10000, kMutexAddress = 0x20000, kCondAddress = 0x30000, kRwLockAddress = 0x40000,
                        kSemaphoreAddress = 0x50000, kBarrierAddress = 0x60000, kClockAddress = 0x80000, kOnceAddress = 0x90000,
                        kPipeAddress = 0xA0000;
constexpr unsigned kFirstDescriptor = 100;  // away from the cells

ThreadSet only(unsigned member) {
  ThreadSet s;
  s.insert(member);
  return s;
}

Operation make(inspect_kind kind, std::uint64_t object, std::uint32_t size, std::uint32_t site) {
  Operation o{};
  o.kind = static_cast<std::uint8_t>(kind);
  o.site = site;
  o.object = object;
  o.size = size;
  return o;
}

std::uint64_t block_address(unsigned cell) { return kCellAddress + 8ull * (cell / kCellsPerBlock); }

}  // namespace

Interpreter::Interpreter(const ModelProgram& program) : program_(&program) {
  CHECK(!program.threads.empty() && program.threads.size() <= kModelThreads);
  owner_.fill(-1);
  for (const auto& list : program.threads)
    for (const Instruction& i : list) {
      uses_clock_ |= i.code == Code::clock;
      uses_handlers_ |= i.code == Code::at_exit;
      gone_matters_ |= i.code == Code::try_join || i.code == Code::detach;
    }
  for (unsigned i = 0; i < kSemaphores; ++i) semaphores_[i] = program.semaphores[i];
  threads_[0].phase = Phase::starting;
  reported_[0] = only(0);
}

const Instruction* Interpreter::instruction(ThreadId t) const {
  if (t >= program_->threads.size()) return nullptr;  // a thread without a list does nothing
  const auto& list = program_->threads[t];
  return threads_[t].pc < list.size() ? &list[threads_[t].pc] : nullptr;
}

Operation Interpreter::operation(ThreadId t) const {
  if (bug_ != INSPECT_BUG_NONE && t == bug_thread_) return {};  // stopped in the middle
  const Thread& thread = threads_[t];
  const std::uint32_t at = site(t);
  switch (thread.phase) {
    case Phase::starting:
      return make(INSPECT_OP_ThreadStart, inspect_thread_object(t), 1, at);
    case Phase::waiting:
    case Phase::waking: {
      const Instruction& i = *instruction(t);
      Operation o = make(INSPECT_OP_CondWake, kMutexAddress + 64 * i.other, 40, at);
      if (thread.phase == Phase::waking) return o;  // timed out: it was never in the set of waiters
      o.object2 = kCondAddress + 64 * i.object;
      o.size2 = 48;
      return o;
    }
    case Phase::at_barrier:
      return make(INSPECT_OP_BarrierLeave, kBarrierAddress, 32, at);
    case Phase::at_futex:
      return make(INSPECT_OP_FutexResume, kCellAddress + 4ull * instruction(t)->object, 4, at);
    case Phase::spinning:
      return make(INSPECT_OP_SpinWait, 0, 0, at);
    case Phase::ending:
      return make(INSPECT_OP_ExitHandler, INSPECT_EXIT_HANDLERS_OBJECT, 8, at);
    case Phase::assumed_away:
      return make(INSPECT_OP_AssumeFailed, 0, 0, at);
    case Phase::exiting:
      return make(INSPECT_OP_ProcessEnd, INSPECT_PROCESS_OBJECT, 8, at);
    case Phase::running:
    case Phase::arrived:
    case Phase::leaving:
      break;
    default:
      return {};
  }
  if (const Instruction* i = instruction(t)) {
    Operation o = operation_of(*i, at);
    settle_for_owner(t, *i, o);
    return o;
  }
  if (t == 0 && program_->main_returns) return make(INSPECT_OP_ProcessExit, INSPECT_PROCESS_OBJECT, 8, at);
  return make(INSPECT_OP_ThreadExit, inspect_thread_object(t), 1, at);
}

Operation Interpreter::operation_of(const Instruction& i, std::uint32_t at) {
  const auto mutex = [&](inspect_kind kind) { return make(kind, kMutexAddress + 64 * i.object, 40, at); };
  const auto rwlock = [&](inspect_kind kind) { return make(kind, kRwLockAddress + 64 * i.object, 56, at); };
  const auto semaphore = [&](inspect_kind kind) { return make(kind, kSemaphoreAddress + 64 * i.object, 32, at); };
  const auto condition = [&](inspect_kind kind) { return make(kind, kCondAddress + 64 * i.object, 48, at); };
  const auto memory = [&](inspect_kind kind, bool wide = false) {
    Operation o = make(kind, wide ? block_address(i.object) : kCellAddress + 4 * i.object, wide ? 8 : 4, at);
    o.order = kind == INSPECT_OP_PlainRead || kind == INSPECT_OP_PlainWrite ? INSPECT_PLAIN : INSPECT_SEQ_CST;
    return o;
  };
  switch (i.code) {
    case Code::lock:
      return mutex(INSPECT_OP_MutexLock);
    case Code::try_lock:
      return mutex(INSPECT_OP_MutexTryLock);
    case Code::timed_lock:
      return mutex(INSPECT_OP_MutexTimedLock);
    case Code::unlock:
      return mutex(INSPECT_OP_MutexUnlock);
    case Code::wait:
    case Code::timed_wait: {
      Operation o = condition(INSPECT_OP_CondWait);
      o.object2 = kMutexAddress + 64 * i.other;
      o.size2 = 40;
      return o;
    }
    case Code::signal:
      return condition(INSPECT_OP_CondSignal);
    case Code::broadcast:
      return condition(INSPECT_OP_CondBroadcast);
    case Code::read_lock:
      return rwlock(INSPECT_OP_ReadLock);
    case Code::write_lock:
      return rwlock(INSPECT_OP_WriteLock);
    case Code::try_read_lock:
      return rwlock(INSPECT_OP_ReadTryLock);
    case Code::try_write_lock:
      return rwlock(INSPECT_OP_WriteTryLock);
    case Code::timed_read_lock:
      return rwlock(INSPECT_OP_ReadTimedLock);
    case Code::timed_write_lock:
      return rwlock(INSPECT_OP_WriteTimedLock);
    case Code::rw_unlock:
      return rwlock(INSPECT_OP_WriteUnlock);  // its kind depends on what is held: see pending()
    case Code::sem_wait:
      return semaphore(INSPECT_OP_SemWait);
    case Code::sem_try_wait:
      return semaphore(INSPECT_OP_SemTryWait);
    case Code::sem_timed_wait:
      return semaphore(INSPECT_OP_SemTimedWait);
    case Code::sem_post:
      return semaphore(INSPECT_OP_SemPost);
    case Code::sem_value:
      return semaphore(INSPECT_OP_SemGetValue);
    case Code::barrier:
      return make(INSPECT_OP_BarrierArrive, kBarrierAddress, 32, at);
    case Code::init_mutex:
      return mutex(INSPECT_OP_MutexInit);
    case Code::destroy_mutex:
      return mutex(INSPECT_OP_MutexDestroy);
    case Code::destroy_condition:
      return condition(INSPECT_OP_CondDestroy);
    case Code::destroy_rwlock:
      return rwlock(INSPECT_OP_RwLockDestroy);
    case Code::destroy_semaphore:
      return semaphore(INSPECT_OP_SemDestroy);
    case Code::destroy_barrier:
      return make(INSPECT_OP_BarrierDestroy, kBarrierAddress, 32, at);
    case Code::once:
      return make(INSPECT_OP_OnceEnter, kOnceAddress + 64 * i.object, 4, at);
    case Code::once_done:
    case Code::once_abort:
      return make(INSPECT_OP_OnceDone, kOnceAddress + 64 * i.object, 4, at);
    case Code::futex_wait:
    case Code::futex_timed_wait:
      return memory(INSPECT_OP_FutexWait);
    case Code::futex_wake:
      return memory(INSPECT_OP_FutexWake);
    case Code::fence:
      return make(INSPECT_OP_Fence, 0, 0, at);
    case Code::read_file:
    case Code::write_file: {
      const bool reads = i.code == Code::read_file;
      Operation o = make(reads ? INSPECT_OP_FileRead : INSPECT_OP_FileOperation, inspect_content_object(0), 64, at);
      o.object2 = inspect_descriptor_object(kFirstDescriptor + i.object);
      o.size2 = 64;
      return o;
    }
    case Code::read_pipe:
    case Code::write_pipe:
      return make(INSPECT_OP_FileOperation, kPipeAddress + 64 * i.object, 64, at);
    case Code::send_signal:
      return make(INSPECT_OP_SignalSend, INSPECT_SIGNALS_OBJECT, 64, at);
    case Code::take_signal: {
      Operation o = make(INSPECT_OP_External, 0, 0, at);
      o.object2 = INSPECT_SIGNALS_OBJECT;
      o.size2 = 64;
      return o;
    }
    case Code::at_exit:
      return make(INSPECT_OP_ExitHandler, INSPECT_EXIT_HANDLERS_OBJECT, 8, at);
    case Code::load:
    case Code::spin:
      return memory(INSPECT_OP_AtomicLoad);
    case Code::await: {
      Operation o = memory(INSPECT_OP_AtomicLoad);
      o.rmw = INSPECT_WAITS_NE;
      o.object2 = static_cast<std::uint32_t>(i.value);
      return o;
    }
    case Code::store:
    case Code::store_register:
      return memory(INSPECT_OP_AtomicStore);
    case Code::add:
    case Code::fetch_add:
    case Code::exchange: {
      Operation o = memory(INSPECT_OP_AtomicRmw);
      o.rmw = i.code == Code::exchange ? INSPECT_RMW_Xchg : INSPECT_RMW_Add;
      if (i.code == Code::add) o.flags |= INSPECT_FLAG_RESULT_UNUSED;
      return o;
    }
    case Code::compare_exchange:
      return memory(INSPECT_OP_AtomicCas);
    case Code::read:
      return memory(INSPECT_OP_PlainRead);
    case Code::write:
      return memory(INSPECT_OP_PlainWrite);
    case Code::wide_load:
      return memory(INSPECT_OP_AtomicLoad, true);
    case Code::wide_store:
      return memory(INSPECT_OP_AtomicStore, true);
    case Code::clock:  // memory that no other thread touches
      return make(INSPECT_OP_PlainRead, kClockAddress + 64 * ((at - 1) / 64), 4, at);
    case Code::free:
      return make(INSPECT_OP_Free, block_address(i.object), 8, at);
    case Code::section:
      return make(INSPECT_OP_AtomicSection, 0, 0, at);
    case Code::choose:
      return make(INSPECT_OP_Choice, 0, 0, at);
    case Code::create:
      return make(INSPECT_OP_ThreadCreate, inspect_thread_object(i.object), 1, at);
    case Code::join:
      return make(INSPECT_OP_ThreadJoin, inspect_thread_object(i.object), 1, at);
    case Code::try_join:
      return make(INSPECT_OP_ThreadTryJoin, inspect_thread_object(i.object), 1, at);
    case Code::detach:
      return make(INSPECT_OP_ThreadDetach, inspect_thread_object(i.object), 1, at);
    case Code::exit:
      return make(INSPECT_OP_ProcessExit, INSPECT_PROCESS_OBJECT, 8, at);
    default:
      break;
  }
  CHECK(false, "a local instruction is never pending");
  return {};
}

bool Interpreter::reads_clock(const Operation& o) { return o.object >= kClockAddress && o.object < kClockAddress + 0x1000; }

ThreadSet Interpreter::waiters(unsigned cond) const {
  ThreadSet set;
  for (unsigned t = 0; t < kModelThreads; ++t)
    if (threads_[t].phase == Phase::waiting && !threads_[t].signalled && instruction(static_cast<ThreadId>(t))->object == cond)
      set.insert(t);
  return set;
}

ThreadSet Interpreter::alternatives(ThreadId t) const {
  const Thread& thread = threads_[t];
  switch (thread.phase) {
    case Phase::starting:
      return only(0);
    case Phase::waiting:
    case Phase::waking: {
      const bool woken = thread.phase == Phase::waking || thread.signalled;
      return woken && (owner_[instruction(t)->other] < 0 || owner_[instruction(t)->other] == t) ? only(0) : ThreadSet{};
    }
    case Phase::at_barrier:
      return thread.round_complete ? only(0) : ThreadSet{};
    case Phase::at_futex:
      return thread.signalled ? only(0) : ThreadSet{};
    case Phase::leaving:
    case Phase::ending:
      return only(0);
    case Phase::running:
    case Phase::arrived:
      break;
    default:
      return {};  // the end of the process: enabled()
  }
  const Instruction* i = instruction(t);
  return i ? alternatives_of(*i, t) : only(0);
}

ThreadSet Interpreter::alternatives_of(const Instruction& i, ThreadId t) const {
  const auto enabled_if = [](bool condition) { return condition ? only(0) : ThreadSet{}; };
  if (is_destroyed(i)) return only(0);  // enabled: the misuse is found when it is performed
  switch (i.code) {
    case Code::lock:
      return enabled_if(lock_returns(t, i.object));
    case Code::timed_lock:
      return only(lock_returns(t, i.object) ? 0 : 1);
    case Code::wait:
    case Code::timed_wait: {
      ThreadSet set = only(0);
      if (i.code == Code::timed_wait) set.insert(1);
      if (program_->spurious_wakeups) set.insert(2);
      return set;
    }
    case Code::signal: {
      ThreadSet set;
      waiters(i.object).for_each([&](unsigned w) { set.insert(w + 1); });
      return set.empty() ? only(0) : set;
    }
    case Code::read_lock:
    case Code::write_lock:
    case Code::timed_read_lock:
    case Code::timed_write_lock:
      return alternatives_of_rwlock(i, t);
    case Code::destroy_barrier:
      return enabled_if(std::ranges::none_of(threads_, [](const Thread& x) { return x.round_complete; }));
    case Code::await:
      return enabled_if(cells_[i.object] == i.value || freed_[i.object / kCellsPerBlock]);
    case Code::once:
      return enabled_if(once_[i.object] < 2);
    case Code::futex_wait:
    case Code::futex_timed_wait:
    case Code::futex_wake:
      return alternatives_of_futex(i);
    case Code::read_pipe:
    case Code::write_pipe:
    case Code::take_signal:
      return alternatives_of_environment(i);
    case Code::sem_wait:
      return enabled_if(semaphores_[i.object] > 0);
    case Code::sem_timed_wait:
      return only(semaphores_[i.object] > 0 ? 0 : 1);
    case Code::barrier: {
      // The last to arrive completes the round; which of them is the serial thread is a choice.
      if (std::popcount(arrived_) + 1u < program_->barrier_size) return only(0);
      ThreadSet set;
      for (unsigned k = 0; k < program_->barrier_size; ++k) set.insert(k);
      return set;
    }
    case Code::choose: {
      ThreadSet set;
      for (int k = 0; k < i.value; ++k) set.insert(static_cast<unsigned>(k));
      return set;
    }
    case Code::join:
      return enabled_if(threads_[i.object].phase == Phase::done && i.object != t);
    default:
      return only(0);
  }
}

ThreadSet Interpreter::enabled_but_the_end() const {
  ThreadSet set;
  for (unsigned t = 0; t < kModelThreads; ++t)
    if (!alternatives(static_cast<ThreadId>(t)).empty()) set.insert(t);
  return set;
}

ThreadSet Interpreter::enabled() const {
  if (finished_ || bug_ != INSPECT_BUG_NONE) return {};
  ThreadSet set = enabled_but_the_end();
  if (set.empty() && exiting_ >= 0) set.insert(static_cast<unsigned>(exiting_));
  return set;
}

Pending Interpreter::pending(ThreadId t) const {
  Pending p;
  p.operation = operation(t);
  const Instruction* i = threads_[t].phase == Phase::running ? instruction(t) : nullptr;
  if (i && i->code == Code::rw_unlock && rwlocks_[i->object].depth[t]) p.operation.kind = INSPECT_OP_ReadUnlock;
  if (i && arrives(t, *i)) p.operation.kind = INSPECT_OP_WriteArrive;
  if (threads_[t].phase == Phase::leaving) p.operation.kind = INSPECT_OP_WriteLeave;
  if (i && i->code == Code::choose) p.choices = static_cast<std::uint32_t>(i->value);
  p.alternatives = alternatives(t);
  if (threads_[t].phase == Phase::exiting && t == exiting_ && enabled().contains(t)) p.alternatives = only(0);
  return p;
}

bool Interpreter::can_take(Choice c) const {
  if (c.thread >= kModelThreads || !enabled().contains(c.thread)) return false;
  const Pending p = pending(c.thread);
  return p.operation.kind == INSPECT_OP_Choice ? c.alternative < p.choices
                                               : c.alternative < 128 && p.alternatives.contains(c.alternative);
}

Event Interpreter::step(Choice c) {
  CHECK(can_take(c), "the model cannot take this transition");
  Event e;
  e.choice = c;
  e.operation = pending(c.thread).operation;
  Thread& t = threads_[c.thread];
  perform(c.thread, c.alternative, e);
  if (uses_clock_) pass_clock(c.thread, e.operation);
  t.history = mix(t.history, c.alternative | std::uint64_t{e.operation.kind} << 16 | std::uint64_t{e.operation.flags} << 24 |
                                 std::uint64_t{e.operation.site} << 32);
  t.history = mix(t.history, e.read);
  e.enabled = enabled();
  e.next = pending(c.thread);
  for (unsigned i = 0; i < kModelThreads; ++i) {
    const auto other = static_cast<ThreadId>(i);
    if (threads_[i].phase == Phase::absent) continue;
    const Pending p = pending(other);
    const bool created = e.operation.kind == INSPECT_OP_ThreadCreate && e.operation.object == inspect_thread_object(i);
    if (i != c.thread && (created || (!p.alternatives.empty() && p.alternatives != reported_[i])))
      e.changes.push_back({other, p});
    reported_[i] = p.alternatives;
  }
  return e;
}

// The clock of a thread is at least that of all operations that its operation depends on.
void Interpreter::pass_clock(ThreadId t, const Operation& o) {
  std::uint16_t& clock = threads_[t].clock;
  for (const auto& [before, said] : past_)
    if (inspect_dependent(&o, &before)) clock = std::max(clock, said);
  past_.emplace_back(o, clock);
}

void Interpreter::fail(ThreadId t, inspect_bug bug, const char* message) {
  if (bug_ != INSPECT_BUG_NONE) return;
  bug_ = bug;
  bug_thread_ = t;
  bug_site_ = site(t);
  bug_message_ = message;
}

// Runs the local instructions up to the next visible one.
void Interpreter::run_local(ThreadId t) {
  while (const Instruction* i = instruction(t)) {
    if (!perform_local(t, *i) || bug_ != INSPECT_BUG_NONE || threads_[t].phase != Phase::running) return;
  }
}

// False if the instruction is not a local one.
bool Interpreter::perform_local(ThreadId t, const Instruction& i) {
  Thread& thread = threads_[t];
  const int value = thread.registers[i.reg];
  switch (i.code) {
    case Code::jump_if:
      thread.pc = value == i.value ? i.target : static_cast<std::uint8_t>(thread.pc + 1);
      return true;
    case Code::jump_unless:
      thread.pc = value != i.value ? i.target : static_cast<std::uint8_t>(thread.pc + 1);
      return true;
    case Code::assume:
      if (value != i.value) thread.phase = Phase::assumed_away;
      ++thread.pc;
      return true;
    case Code::require:
      if (value == i.value) fail(t, INSPECT_BUG_ASSERTION, "assertion failed");
      ++thread.pc;
      return true;
    default:
      return false;
  }
}

// The thread chose not to time out, and was never woken. It would time out now; its other alternative has covered that
// (SEMANTICS A.2).
bool Interpreter::waits_with_time_limit(ThreadId t) const {
  if (threads_[t].signalled) return false;
  return (threads_[t].phase == Phase::waiting && instruction(t)->code == Code::timed_wait) ||
         (threads_[t].phase == Phase::at_futex && instruction(t)->code == Code::futex_timed_wait);
}

Execution Interpreter::end() const {
  Execution e;
  e.status = status_;
  if (bug_ != INSPECT_BUG_NONE) {
    e.end = EndKind::bug;
    e.detail = bug_;
    e.message = bug_message_;
    e.site = bug_site_;
    e.thread = bug_thread_;
    return e;
  }
  if (finished_) {
    if (status_ == 0) return e;
    e.end = EndKind::bug;
    e.detail = INSPECT_BUG_EXIT_STATUS;
    e.message = "exit status " + std::to_string(status_);
    return e;
  }
  bool assumed = false, waits_in_loop = false, goes_on_there = false;
  std::string blocked;
  for (unsigned t = 0; t < kModelThreads; ++t) {
    assumed |= threads_[t].phase == Phase::assumed_away || waits_with_time_limit(static_cast<ThreadId>(t));
    const Operation next = operation(static_cast<ThreadId>(t));
    waits_in_loop |= threads_[t].phase == Phase::spinning || inspect_awaits(&next);
    goes_on_there |= goes_on(static_cast<ThreadId>(t));
    if (threads_[t].phase != Phase::absent && threads_[t].phase != Phase::done)
      blocked += " t" + std::to_string(t) + '.' + std::to_string(threads_[t].pc);
  }
  if (assumed || blocked.empty()) return e;
  e.end = goes_on_there ? EndKind::spinning : EndKind::bug;
  if (goes_on_there) return e;
  e.detail = waits_in_loop ? INSPECT_BUG_LIVELOCK : INSPECT_BUG_DEADLOCK;
  e.message = (waits_in_loop ? "livelock:" : "deadlock:") + blocked;
  return e;
}

std::uint64_t Interpreter::history_hash() const {
  std::uint64_t h = 1;
  for (const Thread& t : threads_) h = mix(h, t.history);
  return mix(mix(h, bug_), static_cast<std::uint64_t>(status_));
}

std::uint64_t Interpreter::clocks_hash() const {
  std::uint64_t h = 0;
  for (const Thread& t : threads_) h = mix(h, t.clock);
  for (const auto& [o, clock] : past_) h += mix(mix(mix(o.kind, o.object), o.object2), std::uint64_t{o.flags} << 16 | clock);
  return h;
}

std::uint64_t Interpreter::state_hash() const {
  std::uint64_t h = history_hash();
  for (const Thread& t : threads_) {
    h = mix(h, static_cast<std::uint64_t>(t.phase) | std::uint64_t{t.pc} << 8 | std::uint64_t{t.signalled} << 16 |
                   std::uint64_t{t.timed_out} << 17 | std::uint64_t{t.round_complete} << 18 | std::uint64_t{t.serial} << 19);
    for (const std::int16_t r : t.registers) h = mix(h, static_cast<std::uint16_t>(r));
  }
  for_each_word(names(), [&](std::uint64_t word) { h = mix(h, word); });
  for (const std::int16_t c : cells_) h = mix(h, static_cast<std::uint16_t>(c));
  for (const bool f : freed_) h = mix(h, f);
  if (uses_clock_) h = mix(h, clocks_hash());
  return mix(h, static_cast<std::uint64_t>(exiting_ + 1) | std::uint64_t{finished_} << 8);
}

}  // namespace inspect::oracle
