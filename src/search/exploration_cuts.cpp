// Where an exploration leaves out what was explored elsewhere: known states, mirror images.
#include <algorithm>
#include <utility>

#include "search/exploration.hpp"
#include "search/mutation.hpp"
#include "search/prune/race_free.hpp"
#include "search/reduction/races.hpp"
#include "search/reversal.hpp"

namespace inspect::search {
namespace {

// Executions that were given up for a loop that nothing ends.
constexpr unsigned kFewEndlessLoops = 3, kMostEndlessLoops = 100;
constexpr std::uint64_t kMostEndlessSteps = 20'000;  // in those beyond the first few

}  // namespace

void Exploration::note_endless_loop() {
  if (++endless_loops_ > kFewEndlessLoops) endless_steps_ += path_.depth();
}

// Each number of turns of such a loop is an execution of its own, multiplied by those of other loops: the search would have no
// end. What it may still explore is counted, not timed: the same verdict on every machine.
void Exploration::stop_at_endless_loops() {
  if (!endless_loops_ || stop_ || options_.keep_going) return;
  steps_since_endless_ += path_.depth();
  stop_ = endless_loops_ == kMostEndlessLoops || endless_steps_ > kMostEndlessSteps ||
          steps_since_endless_ > options_.endless_steps;
  if (stop_ && outcome_.why_not.empty()) outcome_.why_not = outcome_.limit->message;
}

// What is cut, or pruned, or beyond a bound, is not argued for with loads that wait for values: there every turn is taken.
bool Exploration::leaves_out_turns() const { return !traits_.summaries && !traits_.prunes && !options_.preemptions; }

// A loop that waits leads back to where it was: what is cut there depends on how the state was reached.
bool Exploration::waits_in_loop(const Execution& execution) {
  const auto spins = [](const Pending& p) { return p.operation.kind == INSPECT_OP_SpinWait; };
  return execution.end == EndKind::spinning || std::ranges::any_of(execution.events, [&](const Event& e) {
           return spins(e.next) || std::ranges::any_of(e.changes, [&](const PendingChange& c) { return spins(c.pending); });
         });
}

// Is the state after event `index` explored already? What waits there is noted if it is not.
bool Exploration::arrive_known(const Execution& execution, std::uint32_t index, std::span<const Event> later) {
  const bool told = traits_.stateful && index < execution.states.size();
  const StateId state = told ? execution.states[index] : StateId{};
  const NodeId node = path_.node(path_.depth());
  if (symmetry_)
    symmetry_->arrive(node, index < execution.twins.size() ? std::span(execution.twins[index]) : std::span<const Twin>(),
                      later);
  switch (visited_->arrive(path_, node, state)) {
    case Visited::Arrival::cycle:
      fall_back();
      return true;
    case Visited::Arrival::known:
      return cut_ = true;
    case Visited::Arrival::fresh:
      break;
  }
  meet_in_state(path_.depth());
  ThreadSet waiting = path_.movable();
  waiting -= path_.enabled(path_.depth());
  waiting.for_each([&](unsigned i) {
    const auto t = static_cast<ThreadId>(i);
    visited_->add_waiting(node, {t, path_.pending(t)->operation, path_.locks(t)});
  });
  return false;
}

// Two conflicting accesses of which both can come next, one of them plain, are a race of this state, whatever the history
// (SEMANTICS C.5). Whichever thread goes first, the program notices when the other one follows, though it may be behind a cut.
void Exploration::meet_in_state(std::uint32_t state) {
  const auto is_plain = [](const Operation& o) { return o.kind == INSPECT_OP_PlainRead || o.kind == INSPECT_OP_PlainWrite; };
  const ThreadSet enabled = path_.enabled(state);
  enabled.for_each([&](unsigned i) {
    const Operation& a = path_.pending(static_cast<ThreadId>(i))->operation;
    if (!is_plain(a)) return;
    enabled.for_each([&](unsigned k) {
      const Operation& b = path_.pending(static_cast<ThreadId>(k))->operation;
      if (k == i || inspect_family_of(b.kind) != INSPECT_FAMILY_Memory || !inspect_dependent(&a, &b)) return;
      schedule(state, static_cast<ThreadId>(i));
      schedule(state, static_cast<ThreadId>(k));
    });
  });
}

// What can happen behind the last state would have been reversed with what leads there (SEMANTICS I). A thread that is created
// only behind it comes after what its creator comes after.
void Exploration::races_behind(std::span<const ThreadOperation> possible) {
  ThreadId creator[kMaxThreads] = {};
  for (const ThreadOperation& o : possible)
    if (o.operation.kind == INSPECT_OP_ThreadCreate)
      for (unsigned t = 0; t < kMaxThreads; ++t)
        if (inspect_thread_object(t) == o.operation.object) creator[t] = o.thread;
  for (const ThreadOperation& o : possible) {
    ThreadId known = o.thread;
    while (known && !path_.pending(known)) known = creator[known];
    reduction_->races_behind(path_, known, path_.label(o.thread, o.operation), o.locks, races_);
  }
}

void Exploration::races_behind(const Summaries::Set& possible) {
  std::vector<ThreadOperation> list;
  Summaries::for_each(possible, [&](Summaries::Number n) { list.push_back(visited_->summaries().operation(n)); });
  races_behind(list);
}

// Was the mirror image of a pending transition explored from the same state? Then what would be reversed below it is mirrored.
bool Exploration::skip_symmetric(NodeId id) {
  const NodeId state = tree_[id].parent;
  if (state == Tree::kRoot || tree_[state].backtrack.size() < 2) return false;
  ++outcome_.symmetries->checks;
  const NodeId explored = symmetry_->find_explored(id, tree_[id].operation, *visited_);
  if (explored == kNoNode) return false;
  ++outcome_.symmetries->successes;
  move_to(state);
  races_.clear();
  Operation anything{};
  anything.kind = INSPECT_OP_AtomicSection;  // one of which nothing is known depends on everything
  visited_->begin_mirror(id);
  std::vector<ThreadOperation> mirrored;
  symmetry_->mirror(path_, id, explored, *visited_, [&](const ThreadOperation& o, bool known) {
    mirrored.push_back(known ? o : ThreadOperation{o.thread, anything});
    visited_->add_waiting(id, mirrored.back());
  });
  if (!mutated(Mutation::skip_without_mirror)) races_behind(mirrored);
  reduction_->apply(races_, *this);
  // It comes out as its image did, and may sleep in later siblings as if it were explored.
  Node& skipped = tree_[id];
  const Operation& image = tree_[explored].operation;
  const bool alike = skipped.operation.kind == image.kind && image.kind != INSPECT_OP_AtomicSection;
  skipped.operation.flags = image.flags;
  skipped.never_sleeps = !alike || (image.flags & INSPECT_FLAG_RANGES);
  tree_[id].state = NodeState::open;
  close(id);
  return true;
}

// The states in which the races ask for a thread that is not explored there yet.
std::set<std::uint32_t> Exploration::asked_for() const {
  std::set<std::uint32_t> states;
  for (const Race& race : races_.list) {
    ThreadSet there = race.first;
    there &= scheduled(race.state);
    if (there.empty()) states.insert(race.state);
  }
  return states;
}

// Where an execution asks for something else, but everything that follows is free of data races, nothing else is explored. What
// can happen behind that state is reversed with what leads there; where this asks for something, the same question arises.
void Exploration::prune_race_free() {
  std::set<std::uint32_t> asked = asked_for();
  const Code* const code = program_.code();
  if (asked.empty() || !code) return;
  Pruning& pruning = *outcome_.pruning;
  pruning.checks += asked.size();
  never_prunes_ = !code->hopeless.empty();
  if (never_prunes_ || !patience_.allows()) {
    pruning.limits[never_prunes_ ? code->hopeless : "not asked so soon again, after many times in vain"] += asked.size();
    return;
  }
  RaceFree analysis(*code, path_, walked_);
  // What is free of races from some state on is so from later ones too: states from `free` on are, those before `busy` are not.
  std::uint32_t free = *asked.rbegin() + 1, busy = 0;
  std::string why;
  const auto is_free = [&](std::uint32_t state) {
    if (state >= free || state < busy) return state >= free;
    if (analysis.check(state)) {
      free = state;
      return true;
    }
    why = analysis.why();
    busy = state + 1;
    return false;
  };
  bool pruned = false;
  while (!asked.empty() && is_free(*asked.rbegin())) {
    const std::vector<std::uint32_t> states(asked.begin(), asked.end());
    const std::uint32_t state = *std::ranges::partition_point(states, [&](std::uint32_t s) { return !is_free(s); });
    if (analysis.state() != state && !analysis.check(state)) break;
    pruning.successes += static_cast<std::uint64_t>(std::distance(asked.lower_bound(state), asked.end()));
    pruned = true;
    const std::vector<ThreadOperation> possible = analysis.possible();
    std::erase_if(races_.list, [&](const Race& race) { return race.state >= state; });
    while (path_.depth() > state) path_.pop();
    if (!mutated(Mutation::pdp_prunes_without_backtracking)) races_behind(possible);
    const std::set<std::uint32_t> before = std::exchange(asked, asked_for());
    for (const std::uint32_t s : asked) pruning.checks += !before.contains(s);
  }
  patience_.learn(pruned);
  if (!asked.empty()) pruning.limits[why] += asked.size();
}

// The choice that was asked for, or any of its thread's.
bool Exploration::is_choice_of(NodeId id, const Event& event) const {
  const Choice asked = tree_[id].choice;
  return asked == event.choice || (asked.thread == event.choice.thread && asked.alternative == kAnyAlternative);
}

// A label that a file tells may be anything.
bool Exploration::is_as_foretold(NodeId id, const Event& event) const {
  const Operation &then = tree_[id].operation, &now = event.operation;
  if (!resumed_ || !tree_[id].exact || !Reversal::is_certain(now)) return true;
  return then.kind == now.kind && then.object == now.object && then.size == now.size;
}

void Exploration::stop_unrepeated(std::uint32_t depth, std::uint32_t site, const std::string& what) {
  outcome_.divergence =
      Cut{.detail = depth, .message = "step " + std::to_string(depth) + ' ' + what, .site = site, .schedule = {}};
  stop("an execution did not repeat");
}

}  // namespace inspect::search
