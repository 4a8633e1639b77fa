// The table of what operations mean (hooks/operations.def, model/effects.hpp) against the interpreter, which has a reading of
// its own: who holds which lock, who waits and for what, and what may fail is observed in random executions and compared with
// the rows.
#include <gtest/gtest.h>

#include <array>
#include <bitset>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "hooks/dependence.h"
#include "model/effects.hpp"
#include "oracle/generator.hpp"
#include "oracle/interpreted_program.hpp"
#include "oracle/interpreter.hpp"

namespace inspect::oracle {
namespace {

constexpr std::uint64_t kPrograms = 3000, kDraws = 6;
constexpr unsigned kRuns = 60;

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

// What comes of the same operation of the same thread behind other transitions of others, and whether one that can be taken
// stays so.
class Outcomes {
 public:
  // One random execution, up to kMostSteps.
  std::optional<std::string> run(const ModelProgram& program, std::mt19937_64& random) {
    Interpreter machine(program);
    available_.clear();
    values_.clear();
    for (unsigned n = 0; n < kMostSteps && !machine.ended(); ++n) {
      std::vector<Choice> choices;
      machine.enabled().for_each([&](ThreadId t) {
        machine.pending(t).alternatives.for_each([&](ThreadId alternative) { choices.push_back({t, alternative}); });
      });
      const Choice c = choices[random() % choices.size()];
      if (auto wrong = waits_as_told(machine, c.thread)) return wrong;
      if (auto wrong = take(machine, c)) return wrong;
    }
    return std::nullopt;
  }
  void next_program() {
    seen_.clear();
    by_any_alternative_.clear();
  }
  // What failed and succeeded, by one alternative or another.
  [[nodiscard]] const std::bitset<INSPECT_OP_COUNT>& varied() const { return varied_; }

 private:
  static constexpr unsigned kMostSteps = 60;
  // A transition, and all that its thread has to go by.
  struct Before {
    unsigned kind;
    Choice choice;
    std::uint64_t view;
    auto operator<=>(const Before&) const = default;
  };
  struct Seen {
    bool failed;
    std::map<std::uint64_t, std::uint64_t> knowledge;  // by what memory held
  };

  std::optional<std::string> take(Interpreter& machine, Choice c) {
    const Before before{machine.pending(c.thread).operation.kind, c, machine.view(c.thread)};
    const Event e = machine.step(c);
    const Operation& o = e.operation;
    note_values(e);
    if (machine.ended() && machine.end().end == EndKind::bug) return std::nullopt;
    const bool reads_memory = inspect_family_of(o.kind) == INSPECT_FAMILY_Memory;
    const std::uint64_t found = reads_memory ? e.read : 0, knows = machine.knowledge(c.thread);
    const auto [any, fresh] = by_any_alternative_.try_emplace({before.kind, {c.thread, 0}, before.view}, failed(o));
    if (!fresh && any->second != failed(o)) varied_.set(o.kind);
    const auto [at, first] = seen_.try_emplace(before, Seen{failed(o), {{found, knows}}});
    if (first) return std::nullopt;
    if (at->second.failed != failed(o)) {
      if (auto wrong = another_outcome(o, machine)) return wrong;
    }
    const auto [known, unknown] = at->second.knowledge.try_emplace(found, knows);
    if (unknown || known->second == knows) return std::nullopt;
    if (reply_of(o.kind) == Reply::Nothing && outcome_of(o.kind) == Outcome::Sure)
      return std::string(inspect_kind_name(o.kind)) + " tells its thread something, and its row says Nothing";
    return std::nullopt;
  }

  // It failed here and not there, or the other way round.
  static std::optional<std::string> another_outcome(const Operation& o, const Interpreter& machine) {
    Operation other = o;
    other.flags ^= INSPECT_FLAG_FAILED;
    switch (outcome_of(o.kind)) {
      case Outcome::Sure:
        return std::string(inspect_kind_name(o.kind)) + " fails here and not there, and is Sure";
      case Outcome::Alike:
        for (ThreadId t = 0; t < kModelThreads; ++t)
          if (const Operation b = machine.pending(t).operation; inspect_dependent(&o, &b) != inspect_dependent(&other, &b))
            return std::string(inspect_kind_name(o.kind)) + " has other dependences where it fails, and is Alike";
        return std::nullopt;
      case Outcome::Attempt:
      case Outcome::Open:
        return std::nullopt;
    }
    return std::nullopt;
  }

  // Event: what can be taken stays so until it is, if its outcome is known. Value: exactly where memory does not hold what the
  // load waits on.
  std::optional<std::string> waits_as_told(const Interpreter& machine, ThreadId mover) {
    const ThreadSet enabled = machine.enabled();
    for (ThreadId t = 0; t < kModelThreads; ++t) {
      const Operation o = machine.pending(t).operation;
      if (o.kind == INSPECT_OP_None) continue;
      const bool is = enabled.contains(t);
      const auto was = available_.find(t);
      const bool stayed = was != available_.end() && was->second == o.kind && t != last_;
      if (waits_of(o.kind) == Waits::Event && outcome_of(o.kind) != Outcome::Open && stayed && !is)
        return std::string(inspect_kind_name(o.kind)) + " can no longer be taken, and waits for an Event";
      if (const auto value = values_.find({o.object, o.size}); inspect_awaits(&o) && value != values_.end())
        if (is == bool(inspect_waits_at(&o, value->second)))
          return std::string(inspect_kind_name(o.kind)) + " does not wait on the value that memory holds";
      if (is)
        available_[t] = o.kind;
      else
        available_.erase(t);
    }
    last_ = mover;
    return std::nullopt;
  }

  void note_values(const Event& e) {
    const Operation& o = e.operation;
    const bool known = o.kind == INSPECT_OP_AtomicStore || o.kind == INSPECT_OP_PlainWrite ||
                       (o.kind == INSPECT_OP_AtomicRmw && !(o.flags & INSPECT_FLAG_RESULT_UNUSED));
    if (known) {
      std::erase_if(values_, [&](const auto& v) {
        return v.first != std::pair(o.object, o.size) && inspect_overlap(v.first.first, v.first.second, o.object, o.size);
      });
      values_[{o.object, o.size}] = e.written;
    } else if (inspect_family_of(o.kind) == INSPECT_FAMILY_Memory && inspect_writes(&o))
      values_.clear();
  }

  std::map<Before, Seen> seen_;                // in this program
  std::map<Before, bool> by_any_alternative_;  // failed; the alternative is left out
  std::map<ThreadId, unsigned> available_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> values_;  // of memory, where it is known
  ThreadId last_ = 0;
  std::bitset<INSPECT_OP_COUNT> varied_;
};

TEST(Effects, OutcomesAreWhatRowsSay) {
  Outcomes outcomes;
  std::mt19937_64 random(1);
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
    const ModelProgram program = random_program(seed);
    outcomes.next_program();
    for (unsigned run = 0; run < kRuns; ++run) {
      const auto wrong = outcomes.run(program, random);
      ASSERT_FALSE(wrong) << *wrong << "\nprogram " << seed << ", run " << run;
    }
  }
  for (unsigned kind = 1; kind < INSPECT_OP_COUNT; ++kind)
    if (outcome_of(kind) == Outcome::Attempt)
      EXPECT_TRUE(outcomes.varied()[kind]) << inspect_kind_name(kind) << " is no attempt";
}

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
