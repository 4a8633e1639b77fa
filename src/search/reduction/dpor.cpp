#include "search/reduction/dpor.hpp"

#include "search/mutation.hpp"
#include "search/reduction/coenabled.hpp"

namespace inspect::search {

namespace {

bool can_move(const Pending* p) {
  return p && p->operation.kind != INSPECT_OP_None && p->operation.kind != INSPECT_OP_AssumeFailed;
}

bool reversible(const Path& path, std::uint32_t d, const Operation& next, ThreadId t) {
  if (mutated(Mutation::locks_not_reversed) && path.operation(d).kind == INSPECT_OP_MutexLock && next.kind == INSPECT_OP_MutexLock)
    return false;
  return may_be_coenabled(path.operation(d), path.locks_before(d), next, path.locks(t));
}

// The race of the transition at depth d with what t does next.
Race race_at(const Path& path, std::uint32_t d, ThreadId t) {
  Race race{.state = d - 1, .thread = t, .first = {}};
  path.enabled(d - 1).for_each([&](unsigned q) {
    if (path.precedes_after(d - 1, static_cast<ThreadId>(q), t)) race.first.insert(q);
  });
  return race;
}

// The thread that moved has a new next operation: look for the latest transition to reverse.
void find_latest(const Path& path, ThreadId t, std::vector<Race>& out) {
  const Pending* next = path.pending(t);
  if (!can_move(next)) return;
  const Label label{next->operation};
  const std::uint32_t d = path.latest_conflict(label, t, [&](std::uint32_t k) { return reversible(path, k, next->operation, t); });
  if (d) out.push_back(race_at(path, d, t));
}

}  // namespace

std::unique_ptr<Reduction> make_dpor() { return std::make_unique<Dpor>(); }

ThreadSet Dpor::initial(const Path&, std::uint32_t, ThreadId taken) const {
  ThreadSet only;
  only.insert(taken);
  return only;
}

// A thread that did not move keeps its next operation and its past: only the new transition can be later than what was looked at
// in the states before.
void Dpor::races(const Path& path, std::vector<Race>& out) const {
  const std::uint32_t d = path.depth();
  const ThreadId moved = path.thread(d);
  const ThreadSet& enabled = path.enabled(d);
  for (unsigned i = 0; i < path.threads(); ++i) {
    const auto t = static_cast<ThreadId>(i);
    if (mutated(Mutation::skip_blocked_pending) && !enabled.contains(t)) continue;
    if (t == moved) {
      find_latest(path, t, out);
      continue;
    }
    if (mutated(Mutation::skip_other_pending)) continue;
    const Pending* next = path.pending(t);
    if (!can_move(next) || path.happens_before(d, t)) continue;
    if (path.depends({next->operation}, d) && reversible(path, d, next->operation, t)) out.push_back(race_at(path, d, t));
  }
}

void Dpor::apply(std::span<const Race> races, Backtracking& tree) const {
  for (const Race& race : races) {
    const ThreadSet& enabled = tree.enabled(race.state);
    if (race.first.empty()) {
      if (mutated(Mutation::missing_thread_ignored)) continue;
      const ThreadSet all = enabled;
      all.for_each([&](unsigned t) { tree.schedule(race.state, static_cast<ThreadId>(t)); });
      continue;
    }
    ThreadSet there = race.first;
    there &= tree.scheduled(race.state);
    if (!there.empty()) continue;
    tree.schedule(race.state, race.first.contains(race.thread) ? race.thread : static_cast<ThreadId>(race.first.first()));
  }
}

}  // namespace inspect::search
