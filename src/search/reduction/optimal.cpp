#include "search/reduction/optimal.hpp"

#include "search/reduction/races.hpp"
#include "search/reduction/wakeup.hpp"

namespace inspect::search {

std::unique_ptr<Reduction> make_optimal() { return std::make_unique<Optimal>(); }

std::unique_ptr<Branching> Optimal::make_branching(Tree& tree, const Path& path, bool keep_going) const {
  return std::make_unique<Wakeup>(tree, path, keep_going);
}

namespace {

// May the race with d be reversed by a sequence? For a load that waits, only if d replaces the whole value and tells what it
// was: then it is known whether the load is enabled before d.
bool is_placed(const Path& path, std::uint32_t d, const Operation& next) {
  return !inspect_awaits(&next) || replaces_value(path.operation(d), next);
}

}  // namespace

void Optimal::races_of(const Path& path, ThreadId t, const Label& next, std::span<const std::uint32_t> with, Races& out) const {
  for (const std::uint32_t d : with) {
    out.unplaced |= !is_placed(path, d, next.operation);
    if (reversal_.compute(path, d, path.depth() + 1, t, next.operation, kAnyAlternative)) add(path, d, reversal_, out);
  }
}

void Optimal::races_at_end(const Path& path, std::uint32_t known, Races& out) const {
  const std::uint32_t end = path.depth();
  // A sequence that was inserted after an earlier execution is inserted again only if the new transitions are part of it.
  changed_.assign(end + 1, false);
  for (std::uint32_t d = 1; d <= end; ++d)
    for (std::uint32_t k = std::max(d, known) + 1; k <= end && !changed_[d]; ++k) changed_[d] = !path.is_after(k, d);
  for (std::uint32_t j = 1; j <= end; ++j) races_of_taken(path, j, known, out);
  ThreadSet blocked = path.movable();
  blocked -= path.enabled(end);
  if (mutated(Mutation::skip_blocked_pending)) blocked = {};
  blocked.for_each([&](unsigned i) {
    const auto t = static_cast<ThreadId>(i);
    const Label next = path.label(t, path.pending(t)->operation);
    found_.clear();
    path.find_races(t, next, found_);
    races_of(path, t, next, found_, out);
  });
  for (std::uint32_t d = 1; d <= end; ++d)
    if (d > known || changed_[d]) other_alternatives(path, d, out);
}

void Optimal::races_of_taken(const Path& path, std::uint32_t j, std::uint32_t known, Races& out) const {
  for (const std::uint32_t d : path.races(j)) {
    if (j <= known && !changed_[d]) continue;
    out.unplaced |= !is_placed(path, d, path.operation(j));
    if (reversal_.compute(path, d, j, path.thread(j), path.operation(j), path.event(j).choice.alternative))
      add(path, d, reversal_, out);
  }
}

// Another alternative of the same operation is one more way for it to be first.
void Optimal::other_alternatives(const Path& path, std::uint32_t d, Races& out) const {
  const Pending& taken = path.taken(d);
  const Choice chosen = path.event(d).choice;
  const auto other = [&](unsigned a) {
    if (a == chosen.alternative) return;
    reversal_.compute_other(path, d, static_cast<std::uint16_t>(a));
    add(path, d, reversal_, out);
  };
  if (taken.operation.kind == INSPECT_OP_Choice) {
    for (unsigned a = 0; a < taken.choices; ++a) other(a);
  } else {
    taken.alternatives.for_each(other);
  }
}

void Optimal::add(const Path& path, std::uint32_t d, const Reversal& reversal, Races& out) const {
  out.unplaced |= !reversal.foretold;
  Race race{.state = d - 1, .thread = reversal.choice.thread, .first = {}, .begin = 0, .end = 0};
  race.begin = static_cast<std::uint32_t>(out.steps.size());
  const auto step = [&](std::uint32_t k) { out.steps.push_back({path.event(k).choice, true, k, path.operation(k)}); };
  const std::uint32_t end = path.depth();
  const bool last = !reversal.exact;
  for (std::uint32_t k = d + 1; k <= end; ++k)
    if (reversal.contains(k) && (reversal.precedes(k) || last)) step(k);
  out.steps.push_back({reversal.choice, reversal.exact, 0, reversal.operation});
  for (std::uint32_t k = d + 1; k <= end; ++k)
    if (reversal.contains(k) && !reversal.precedes(k) && !last) step(k);
  race.end = static_cast<std::uint32_t>(out.steps.size());
  out.list.push_back(race);
}

void Optimal::apply(const Races& races, Backtracking& tree) const {
  for (const Race& race : races.list) tree.insert(race.state, races.sequence(race));
}

}  // namespace inspect::search
