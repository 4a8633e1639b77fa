#include "search/reduction/races.hpp"

namespace inspect::search {

void add_races(const Path& path, ThreadId t, std::span<const std::uint32_t> with, Races& out) {
  if (mutated(Mutation::latest_race_only)) return;
  for (const std::uint32_t d : with) {
    Race race{.state = d - 1, .thread = t, .first = path.initials(d, t)};
    race.first &= path.enabled(d - 1);
    // If none is enabled there, `next` cannot come first: what it needs is not enabled before d.
    if (!race.first.empty()) out.list.push_back(race);
  }
}

namespace {

// Inserts a thread for a race behind a cut. A thread of `first` that is explored from this state leads to whatever else has to
// come first. One that sleeps here was explored from an earlier state, and leads only to what can come first there: it does not
// count.
void insert_blindly(const Race& race, Backtracking& tree) {
  ThreadSet awake;
  race.first.for_each([&](unsigned t) {
    if (tree.awake(race.state, static_cast<ThreadId>(t)) || mutated(Mutation::sleepers_lead_behind_cuts)) awake.insert(t);
  });
  ThreadSet there = awake;
  there &= tree.scheduled(race.state);
  if (!there.empty()) return;
  if (!awake.empty()) return tree.schedule(race.state, static_cast<ThreadId>(awake.first()));
  const ThreadSet enabled = tree.enabled(race.state);
  enabled.for_each([&](unsigned t) { tree.schedule(race.state, static_cast<ThreadId>(t)); });
}

void insert_thread(const Race& race, Backtracking& tree) {
  if (race.blind) return insert_blindly(race, tree);
  ThreadSet there = race.first;
  there &= tree.scheduled(race.state);
  if (!there.empty()) return;
  // Any of them is sound. The thread itself, else the last, which ran closest to it under the default policy, leads to the
  // fewest redundant executions: lastzero(10) has 2,970 of them with this choice, and 26,947 with the first.
  auto choice = static_cast<ThreadId>(race.first.first());
  race.first.for_each([&](unsigned t) { choice = static_cast<ThreadId>(t); });
  tree.schedule(race.state, race.first.contains(race.thread) ? race.thread : choice);
}

}  // namespace

void insert(const Races& races, Backtracking& tree) {
  for (const Race& race : races.list) insert_thread(race, tree);
}

}  // namespace inspect::search
