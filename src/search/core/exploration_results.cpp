// What an execution tells of the program: bugs, limits, or that it did not repeat.
#include <algorithm>

#include "model/effects.hpp"
#include "search/causality/reversal.hpp"
#include "search/core/exploration.hpp"
#include "search/core/outcome.hpp"
#include "search/mutation.hpp"

namespace inspect::search {

// Runs the prefix before `id` once more, with all its steps reported, and says which step has changed. Empty if none has.
std::string Exploration::first_change(NodeId id) {
  move_to(tree_[id].parent);
  Request request;
  request.waits = cuts_.empty();
  for (std::uint32_t d = 1; d <= path_.depth(); ++d) request.prefix.push_back(path_.event(d).choice);
  const Execution again = std::move(program_.run({&request, 1}).front());
  for (std::uint32_t d = 1; d <= path_.depth() && d <= again.events.size(); ++d) {
    const Operation &was = path_.event(d).operation, &is = again.events[d - 1].operation;
    const Choice c = path_.event(d).choice;
    if (inspect_step_hash(0, c.thread, c.alternative, &was) == inspect_step_hash(0, c.thread, c.alternative, &is)) continue;
    return std::string("; step ") + std::to_string(d) + " was " + inspect_kind_text(was.kind) + ", is " +
           inspect_kind_text(is.kind) + (was.kind == is.kind ? " of another object or with another outcome" : "");
  }
  return "";
}

void Exploration::finish(const Execution& execution, std::span<const Event> unexplored) {
  const std::uint32_t end = path_.depth();
  // Behind a cut only a data race is new: whether two accesses race depends on how the state was reached.
  const bool is_bug = execution.end == EndKind::bug && (!cut_ || execution.detail == INSPECT_BUG_DATA_RACE);
  if (is_bug) record_bug(execution, unexplored);
  stop_ |= is_bug && !options_.keep_going;
  if (cut_) {
    ++outcome_.redundant;
    return;
  }
  if (execution.end == EndKind::redundant || (!unexplored.empty() && !stop_)) {
    settle(end);
    ++outcome_.redundant;
    return;
  }
  if (execution.end == EndKind::spinning) ++outcome_.redundant;
  if (execution.end == EndKind::complete || is_bug) {
    ++outcome_.executions;
    ++tree_[path_.node(end)].executions;
  }
  if (is_bug && cuts_short(execution.detail) && end > 0 && !mutated(Mutation::bugs_end_the_search_below)) {
    // Nothing else of this execution is known: its last transition counts as dependent on everything.
    tree_[path_.node(end)].never_sleeps = true;
    schedule_all(end - 1);
    for (const auto& cut : cuts_) cut->on_unknown_end(true);
  }
  const bool left_out = execution.end == EndKind::limit || execution.end == EndKind::unsupported;
  if (left_out)
    for (const auto& cut : cuts_) cut->on_unknown_end(false);
  if (execution.end == EndKind::limit) {
    ++outcome_.limited;
    if (!outcome_.limit) outcome_.limit = cut_of(execution);
    if (execution.detail == INSPECT_LIMIT_LOOP) endless_loops_.note(end);
  }
  if (execution.end == EndKind::unsupported && !outcome_.unsupported) {
    outcome_.unsupported = cut_of(execution);
    outcome_.why_not = execution.message;
    stop_ |= !options_.keep_going;
  }
}

void Exploration::record_bug(const Execution& e, std::span<const Event> unexplored) {
  FoundBug bug = bug_of(e);
  for (const FoundBug& b : outcome_.bugs)
    if (same_bug(b, bug)) return;
  bug.executions_before = outcome_.executions;
  for (std::uint32_t d = 1; d <= path_.depth(); ++d) bug.events.push_back(path_.event(d));
  bug.events.insert(bug.events.end(), unexplored.begin(), unexplored.end());
  for (const Event& event : bug.events) bug.schedule.push_back(event.choice);
  outcome_.bugs.push_back(std::move(bug));
}

CutExecution Exploration::cut_of(const Execution& e) const {
  CutExecution cut{e, {}};
  if (e.end == EndKind::diverged) return cut;
  for (std::uint32_t d = 1; d <= path_.depth(); ++d) cut.schedule.push_back(path_.event(d).choice);
  return cut;
}

void Exploration::observe(const Execution& execution, std::span<const Event> unexplored) {
  if (!observer_ || !observer_->wants_executions() || cut_) return;
  whole_.clear();
  for (std::uint32_t d = 1; d <= path_.depth(); ++d) whole_.push_back(&path_.event(d));
  for (const Event& e : unexplored) whole_.push_back(&e);
  observer_->on_execution(execution, whole_);
}

void Exploration::count_endless_loop() {
  if (stop_ || options_.keep_going || !endless_loops_.is_enough(path_.depth(), options_.endless_steps)) return;
  stop_ = true;
  if (outcome_.why_not.empty()) outcome_.why_not = outcome_.limit->message;
}

// Is it the choice that was asked for? kAnyAlternative stands for every alternative of its thread.
bool Exploration::is_choice_of(NodeId id, const Event& event) const {
  const Choice asked = tree_[id].choice;
  return asked == event.choice || (asked.thread == event.choice.thread && asked.alternative == kAnyAlternative);
}

// Did an attempt that a sequence foretells succeed instead of failing, or fail? `known`: steps before the first event.
bool Exploration::comes_otherwise(NodeId id, std::size_t known, const Execution& execution) const {
  const bool unchecked = mutated(Mutation::exchanges_stay) || mutated(Mutation::adds_tell_what_was_there);
  if (!open_.branching->has_sequences() || unchecked) return false;
  for (; id != Tree::kRoot && !tree_.executed(id); id = tree_[id].parent) {
    const std::size_t index = tree_[id].depth - known - 1;
    if (!tree_[id].exact || index >= execution.events.size()) continue;
    const Operation& now = execution.events[index].operation;
    if (outcome_of(now.kind) == inspect::Outcome::Attempt && failed(now) != failed(tree_[id].operation)) return true;
  }
  return false;
}

// The label of a pending transition that was read from a file is not trusted: did the operation come out so?
bool Exploration::is_as_foretold(NodeId id, const Event& event) const {
  const Operation &then = tree_[id].operation, &now = event.operation;
  if (!resumed_ || !tree_[id].exact || !Reversal::is_certain(now)) return true;
  return then.kind == now.kind && then.object == now.object && then.size == now.size;
}

void Exploration::stop_unrepeated(std::uint32_t depth, std::uint32_t site, const std::string& what) {
  CutExecution& cut = outcome_.divergence.emplace();
  cut.detail = depth;
  cut.message = "step " + std::to_string(depth) + ' ' + what;
  cut.site = site;
  stop("an execution did not repeat");
}

}  // namespace inspect::search
