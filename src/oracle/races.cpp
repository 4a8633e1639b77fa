#include "oracle/races.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace inspect::oracle {

namespace {

using Clock = std::array<std::uint32_t, kMaxThreads>;

void join(Clock& into, const Clock& from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}

struct Seen {
  ThreadId thread;
  std::uint64_t address;
  std::uint32_t size;
  bool write, plain;
  std::uint32_t time = 0;
};

bool is_atomic(unsigned kind) {
  return kind == INSPECT_OP_AtomicLoad || kind == INSPECT_OP_AtomicStore || kind == INSPECT_OP_AtomicRmw ||
         kind == INSPECT_OP_AtomicCas;
}

class Checker {
 public:
  bool step(const Event& e) {
    const ThreadId t = e.choice.thread;
    ++clocks_[t][t];
    const Operation& o = e.operation;
    bool race = false;
    if (o.kind == INSPECT_OP_PlainRead || o.kind == INSPECT_OP_PlainWrite)
      race |=
          access({.thread = t, .address = o.object, .size = o.size, .write = o.kind == INSPECT_OP_PlainWrite, .plain = true});
    if (o.kind == INSPECT_OP_Free)
      race |= access({.thread = t, .address = o.object, .size = o.size, .write = true, .plain = true});
    if (o.kind == INSPECT_OP_AtomicSection)
      for (const Operation& range : e.footprint)
        race |=
            access({.thread = t, .address = range.object, .size = range.size, .write = inspect_writes(&range), .plain = false});
    if (is_atomic(o.kind))
      race |= access({.thread = t, .address = o.object, .size = o.size, .write = inspect_writes(&o), .plain = false});
    synchronise(t, e);
    ++clocks_[t][t];  // plain accesses after the operation are not ordered by its release
    for (const PlainAccess& a : e.accesses)
      race |= access({.thread = t, .address = a.address, .size = a.size, .write = a.write, .plain = true});
    return race;
  }

 private:
  bool access(Seen a) {
    const Clock& clock = clocks_[a.thread];
    const bool race = std::ranges::any_of(seen_, [&](const Seen& s) {
      return s.thread != a.thread && (s.write || a.write) && (s.plain || a.plain) && s.address < a.address + a.size &&
             a.address < s.address + s.size && clock[s.thread] < s.time;
    });
    a.time = clock[a.thread];
    seen_.push_back(a);
    return race;
  }

  void acquire(ThreadId t, std::uint64_t object) { join(clocks_[t], released_[object]); }
  void release(ThreadId t, std::uint64_t object) { join(released_[object], clocks_[t]); }

  // Objects are at least 8 bytes apart, so the address object + 1 is free: readers of a lock release it under that address,
  // which only writers acquire.
  void synchronise(ThreadId t, const Event& e) {
    const Operation& o = e.operation;
    const bool failed = o.flags & INSPECT_FLAG_FAILED;
    switch (o.kind) {
      case INSPECT_OP_ThreadCreate:
      case INSPECT_OP_ThreadExit:
      case INSPECT_OP_SemPost:
      case INSPECT_OP_MutexUnlock:
      case INSPECT_OP_BarrierArrive:
      case INSPECT_OP_WriteUnlock:
      case INSPECT_OP_OnceDone:
        return release(t, o.object);
      case INSPECT_OP_ReadUnlock:
        return release(t, o.object + 1);
      case INSPECT_OP_CondWait:
        return release(t, o.object2);
      case INSPECT_OP_ThreadStart:
      case INSPECT_OP_ThreadJoin:
      case INSPECT_OP_BarrierLeave:
      case INSPECT_OP_CondWake:
      case INSPECT_OP_MutexLock:
      case INSPECT_OP_OnceEnter:
        return acquire(t, o.object);
      case INSPECT_OP_MutexTryLock:
      case INSPECT_OP_MutexTimedLock:
      case INSPECT_OP_SemWait:
      case INSPECT_OP_SemTryWait:
      case INSPECT_OP_SemTimedWait:
      case INSPECT_OP_ReadLock:
      case INSPECT_OP_ReadTryLock:
      case INSPECT_OP_ReadTimedLock:
      case INSPECT_OP_ThreadTryJoin:
        if (!failed) acquire(t, o.object);
        return;
      case INSPECT_OP_WriteLock:
      case INSPECT_OP_WriteTryLock:
      case INSPECT_OP_WriteTimedLock:
        if (failed) return;
        acquire(t, o.object);
        return acquire(t, o.object + 1);
    }  // all others are accesses of memory, or order nothing
    const auto each = [&](const Operation& access) {
      for (std::uint64_t at = access.object / 4; at < (access.object + access.size + 3) / 4; ++at) {
        join(clocks_[t], atomics_[at]);
        if (inspect_writes(&access)) join(atomics_[at], clocks_[t]);
      }
    };
    if (is_atomic(o.kind)) each(o);
    for (const Operation& range : e.footprint) each(range);
  }

  std::array<Clock, kMaxThreads> clocks_{};
  std::map<std::uint64_t, Clock> released_, atomics_;
  std::vector<Seen> seen_;
};

}  // namespace

bool has_data_race(std::span<const Event* const> events) {
  Checker checker;
  return std::ranges::any_of(events, [&](const Event* e) { return checker.step(*e); });
}

}  // namespace inspect::oracle
