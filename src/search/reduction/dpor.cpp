#include "search/reduction/dpor.hpp"

#include <algorithm>

#include "search/mutation.hpp"
#include "search/reduction/coenabled.hpp"

namespace inspect::search {

namespace {

bool can_move(const Pending* p) {
  return p && p->operation.kind != INSPECT_OP_None && p->operation.kind != INSPECT_OP_AssumeFailed;
}

bool reversible(const Path& path, std::uint32_t d, const Operation& next, ThreadId t) {
  if (mutated(Mutation::locks_not_reversed) && path.operation(d).kind == INSPECT_OP_MutexLock &&
      next.kind == INSPECT_OP_MutexLock)
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

// Everything that what t does next is in a race with.
void find_races(const Path& path, ThreadId t, std::vector<Race>& out) {
  const Pending* next = path.pending(t);
  if (!can_move(next)) return;
  const Label label{next->operation};
  std::uint32_t latest = 0;
  path.for_each_conflict(label, t, [&](std::uint32_t d) {
    if (!reversible(path, d, next->operation, t)) return false;
    latest = std::max(latest, d);
    if (mutated(Mutation::latest_race_only)) return true;
    Race race{.state = d - 1, .thread = t, .first = path.initials(d, t, label)};
    race.first &= path.enabled(d - 1);
    out.push_back(race);
    return true;
  });
  if (latest) out.push_back(race_at(path, latest, t));
}

}  // namespace

std::unique_ptr<Reduction> make_dpor() { return std::make_unique<Dpor>(); }

ThreadSet Dpor::initial(const Path&, std::uint32_t, ThreadId taken) const {
  ThreadSet only;
  only.insert(taken);
  return only;
}

// A thread that did not move keeps its next operation and its past: only the new transition can be later than what was looked
// at in the states before.
void Dpor::races(const Path& path, std::vector<Race>& out) const {
  const std::uint32_t d = path.depth();
  const ThreadId moved = path.thread(d);
  const ThreadSet& enabled = path.enabled(d);
  for (unsigned i = 0; i < path.threads(); ++i) {
    const auto t = static_cast<ThreadId>(i);
    if (mutated(Mutation::skip_blocked_pending) && !enabled.contains(t)) continue;
    if (t == moved) {
      find_races(path, t, out);
      continue;
    }
    if (mutated(Mutation::skip_other_pending)) continue;
    const Pending* next = path.pending(t);
    if (can_move(next) && !path.happens_before(d, t) && path.depends({next->operation}, d)) find_races(path, t, out);
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
