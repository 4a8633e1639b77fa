// The table of what operations mean (hooks/operations.def, model/effects.hpp) against the interpreter, which has a reading of
// its own: who holds which lock, who waits and for what, and what may fail is observed in random executions and compared with
// the rows.
#include <gtest/gtest.h>

#include <array>
#include <bitset>
#include <map>
#include <optional>
#include <string>

#include "model/effects.hpp"
#include "oracle/generator.hpp"
#include "oracle/interpreted_program.hpp"

namespace inspect::oracle {
namespace {

constexpr std::uint64_t kPrograms = 3000, kDraws = 6;

// One lock as the rows tell it: how often each thread has it.
struct Lock {
  std::map<ThreadId, unsigned> alone, shared;
  std::map<ThreadId, bool> arrived;  // writers that keep readers out (SEMANTICS D)
};

class Watch {
 public:
  // What is wrong with the row of an operation; nothing if all agrees.
  std::optional<std::string> step(const Event& e) {
    pending_[e.choice.thread] = e.next.operation;
    for (const PendingChange& change : e.changes) pending_[change.thread] = change.pending.operation;
    seen_.set(e.operation.kind);
    if (auto wrong = outcome(e.operation)) return wrong;
    if (auto wrong = take_and_give(e)) return wrong;
    for (const auto& [thread, o] : pending_)
      if (auto wrong = waiting(thread, o, e.enabled.contains(thread))) return wrong;
    return std::nullopt;
  }
  void begin() {
    pending_.clear();
    locks_.clear();
  }
  [[nodiscard]] const std::bitset<INSPECT_OP_COUNT>& seen() const { return seen_; }

 private:
  static std::string says(const Operation& o, const char* what) { return std::string(inspect_kind_name(o.kind)) + " " + what; }

  // Who fails at a lock, and waits for none, failed for a reason of its own: it has the lock, or has it not.
  static std::optional<std::string> outcome(const Operation& o) {
    const bool own_reason = inspect_lock_effect_of(o.kind) != INSPECT_LOCK_None;
    if (failed(o) && outcome_of(o.kind) == Outcome::Sure && !own_reason) return says(o, "fails, and is Sure");
    return std::nullopt;
  }

  std::optional<std::string> take_and_give(const Event& e) {
    const Operation& o = e.operation;
    const ThreadId t = e.choice.thread;
    Lock& lock = locks_[o.object];
    if (o.kind == INSPECT_OP_WriteArrive) lock.arrived[t] = true;
    if (o.kind == INSPECT_OP_WriteLeave || o.kind == INSPECT_OP_WriteLock ||
        (o.kind == INSPECT_OP_WriteTimedLock && !failed(o)))
      lock.arrived.erase(t);
    switch (inspect_lock_effect_of(o.kind)) {
      case INSPECT_LOCK_Takes:
        if (!failed(o) && held_by_others(lock, t, true)) return says(o, "takes what another has");
        if (!failed(o)) ++lock.alone[t];
        break;
      case INSPECT_LOCK_Shares:
        if (!failed(o) && held_by_others(lock, t, false)) return says(o, "shares what another has alone");
        if (!failed(o)) ++lock.shared[t];
        break;
      case INSPECT_LOCK_Gives:
        if (!failed(o)) give(lock, t);
        break;
      case INSPECT_LOCK_GivesSecond:
        give(locks_[o.object2], t);
        break;
      case INSPECT_LOCK_Clears:
        lock = {};
        break;
      case INSPECT_LOCK_None:
        break;
    }
    return std::nullopt;
  }

  static void give(Lock& lock, ThreadId t) {
    auto& holders = lock.alone.contains(t) ? lock.alone : lock.shared;
    if (const auto mine = holders.find(t); mine != holders.end() && --mine->second == 0) holders.erase(mine);
  }

  static bool held_by_others(const Lock& lock, ThreadId t, bool shared_too) {
    const auto has_other = [t](const auto& holders) { return holders.size() > holders.count(t); };
    return has_other(lock.alone) || (shared_too && has_other(lock.shared));
  }

  // A thread that waits for a lock is enabled exactly while the rows say that nobody keeps it out.
  std::optional<std::string> waiting(ThreadId t, const Operation& o, bool enabled) {
    const Waits waits = waits_of(o.kind);
    if (waits == Waits::Never && !enabled) return says(o, "waits, and its row says Never");
    if (waits == Waits::Ever && enabled) return says(o, "is enabled, and its row says Ever");
    if (waits != Waits::Lock || o.kind == INSPECT_OP_CondWake) return std::nullopt;  // a wake waits for a signal too
    const Lock& lock = locks_[o.object];
    const bool shares = inspect_lock_effect_of(o.kind) == INSPECT_LOCK_Shares;
    const bool own = lock.alone.contains(t) || (!shares && lock.shared.contains(t));
    if (own) return std::nullopt;  // a deadlock, one level more, or an error
    const bool kept_out = held_by_others(lock, t, !shares) || (shares && !lock.arrived.empty());
    if (enabled && kept_out) return says(o, "is enabled, though the lock is taken");
    if (!enabled && !kept_out) return says(o, "waits, though the lock is free");
    return std::nullopt;
  }

  std::map<ThreadId, Operation> pending_;
  std::map<std::uint64_t, Lock> locks_;
  std::bitset<INSPECT_OP_COUNT> seen_;
};

TEST(Effects, RowsAgreeWithTheInterpreter) {
  Watch watch;
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
    const ModelProgram program = random_program(seed);
    InterpretedProgram target(program);
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
      search::Request request;
      if (draw) request.policy = INSPECT_POLICY_RANDOM;
      request.seed = draw;
      const Execution execution = std::move(target.run({&request, 1}).front());
      if (execution.end == EndKind::bug) continue;  // a misuse leaves locks in a state that no row describes
      watch.begin();
      for (const Event& e : execution.events) {
        const auto wrong = watch.step(e);
        ASSERT_FALSE(wrong) << *wrong << "\nprogram " << seed << ", draw " << draw;
      }
    }
  }
  for (unsigned kind = 1; kind < INSPECT_OP_COUNT; ++kind)
    EXPECT_TRUE(watch.seen()[kind] || waits_of(kind) == Waits::Ever) << inspect_kind_name(kind) << " was never performed";
}

}  // namespace
}  // namespace inspect::oracle
