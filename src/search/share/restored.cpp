#include "search/share/restored.hpp"

#include <algorithm>
#include <vector>

#include "hooks/dependence.h"
#include "search/core/program.hpp"

namespace inspect::search {

namespace {
// What a section depends on is not known here.
bool is_section(const Node& n) { return n.operation.kind == INSPECT_OP_AtomicSection; }
}  // namespace

std::optional<Error> Restored::contradiction() const {
  if (!root_fits()) return Error{"its tree does not begin as one does"};
  std::vector<NodeId> open{Tree::kRoot};
  std::uint64_t without = 0;  // subtrees that are finished without a complete execution
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (id != Tree::kRoot && !fits(id)) return Error{"a piece of a tree whose parts contradict each other"};
    without += tree_[id].state == NodeState::closed && !tree_[id].executions;
    if (!is_complete(tree_[id]) || is_finished(id)) return Error{"a piece of a tree in which a transition is missing"};
    if (!counts_fit(tree_[id])) return Error{"its counts contradict each other"};
    for (NodeId c = tree_[id].first_child; c != kNoNode; c = tree_[c].next_sibling) open.push_back(c);
  }
  if (without > found_.redundant + found_.limited && !found_.unsupported && found_.bugs.empty())
    return Error{"its counts contradict each other"};
  return std::nullopt;
}

bool Restored::root_fits() const {
  const Node& n = tree_[Tree::kRoot];
  const bool executed = n.state == NodeState::open || n.state == NodeState::closed;
  return executed && n.free && n.exact && !n.never_sleeps && !n.remote && !n.sent && !n.preemptions && !n.hash &&
         n.choice == Choice{} && n.operation.kind == INSPECT_OP_None && n.sleep.empty();
}

bool Restored::fits(NodeId id) const {
  const Node& n = tree_[id];
  const Node& above = tree_[n.parent];
  const bool is_known = n.operation.kind != INSPECT_OP_None && n.choice.thread < found_.threads && !n.remote;
  const bool is_scheduled = has_sequences_ || above.state != NodeState::open || above.backtrack.contains(n.choice.thread);
  return is_known && is_scheduled && above.state != NodeState::closed && state_fits(n) && hash_fits(n) && preemptions_fit(n) &&
         is_new_among_siblings(id) && sleepers_fit(id);
}

bool Restored::state_fits(const Node& n) const {
  if (!has_sequences_ && !(n.free && n.exact)) return false;
  if (n.never_sleeps && (n.first_child != kNoNode || found_.bugs.empty())) return false;
  switch (n.state) {
    case NodeState::pending:
      // A pending node has children only within a wakeup sequence, and then it is not free.
      if (n.first_child != kNoNode && n.free) return false;
      if (n.choice.alternative == kAnyAlternative && (!has_sequences_ || n.exact)) return false;
      return !n.hash && !n.preemptions && !n.never_sleeps && n.backtrack.empty();
    case NodeState::in_flight:
    case NodeState::away:
      return false;
    case NodeState::open:
      if (n.choice.alternative == kAnyAlternative || (has_sequences_ && n.free && !n.sleep.empty())) return false;
      [[fallthrough]];
    case NodeState::closed:
      return n.depth <= found_.max_depth && (n.state == NodeState::open || n.sleep.empty());
  }
  return false;
}

// The hash is not checked below a pending node: whoever gave a unit may not have executed the node above it.
bool Restored::hash_fits(const Node& n) const {
  if (n.state == NodeState::pending || tree_[n.parent].state == NodeState::pending) return true;
  return n.hash == inspect_step_hash(tree_[n.parent].hash, n.choice.thread, n.choice.alternative, &n.operation);
}

// A closed node may have no count: the owner of a finished unit does not know it.
bool Restored::preemptions_fit(const Node& n) const {
  if (!options_.preemptions) return !n.preemptions;
  const std::uint32_t above = tree_[n.parent].preemptions;
  return n.preemptions <= above + 1 && (n.state != NodeState::open || n.preemptions >= above);
}

// Siblings differ in their choices: a sequence that begins like a child follows that child. Two can be equal only if the
// outcome of one was not foretold.
bool Restored::is_new_among_siblings(NodeId id) const {
  const Node& n = tree_[id];
  for (NodeId s = tree_[n.parent].first_child; s != id; s = tree_[s].next_sibling) {
    if (tree_[s].choice != n.choice) continue;
    const bool was_foretold = !(tree_.executed(s) && !tree_[s].exact) && !(tree_.executed(id) && !n.exact);
    if (was_foretold || ((tree_.executed(s) || tree_[s].free) && (tree_.executed(id) || n.free))) return false;
  }
  return true;
}

// Only transitions explored before from this state's ancestors sleep, and only while all that was executed since is independent
// of them.
bool Restored::sleepers_fit(NodeId id) const {
  const Node& n = tree_[id];
  const bool open = n.state == NodeState::open;
  const auto wakes = [&](const Node& sleeper) {
    return sleeper.choice.thread == n.choice.thread || inspect_dependent(&sleeper.operation, &n.operation);
  };
  const auto sleeps_on = [&](NodeId s) {
    const Node& sleeper = tree_[s];
    return wakes(sleeper) || is_section(sleeper) ||
           std::ranges::any_of(n.sleep, [&](NodeId own) { return tree_[own].choice == sleeper.choice; });
  };
  const bool sure = open && !is_section(n);
  if (sure && tree_.executed(n.parent) && !std::ranges::all_of(tree_[n.parent].sleep, sleeps_on)) return false;
  return std::ranges::all_of(n.sleep, [&](NodeId s) {
    return !(sure && !is_section(tree_[s]) && wakes(tree_[s])) && was_explored_above(id, tree_[s]);
  });
}

bool Restored::was_explored_above(NodeId id, const Node& sleeper) const {
  const auto is_it = [&](NodeId other) {
    const Node& o = tree_[other];
    return o.choice == sleeper.choice && o.operation.kind == sleeper.operation.kind &&
           o.operation.object == sleeper.operation.object && !o.never_sleeps;
  };
  for (; tree_[id].depth; id = tree_[id].parent) {
    const NodeId above = tree_[id].parent;
    for (NodeId s = tree_[above].first_child; s != kNoNode; s = tree_[s].next_sibling)
      if (s != id && is_it(s) && (has_sequences_ || tree_.executed(s) || tree_[s].sent)) return true;
    if (tree_.executed(above) && std::ranges::any_of(tree_[above].sleep, is_it)) return true;
  }
  return false;
}

// Are the executions of a node those of its closed children, or one that ended with it?
bool Restored::counts_fit(const Node& n) const {
  if (n.state == NodeState::closed) return true;
  std::uint64_t below = 0;
  for (NodeId c = n.first_child; c != kNoNode; c = tree_[c].next_sibling)
    if (tree_[c].state == NodeState::closed) below += tree_[c].executions;
  return n.executions == below || (n.state == NodeState::open && n.first_child == kNoNode && n.executions == 1);
}

// Is nothing left to explore below it, nor to its left, from where something could be inserted below it? Then it would have
// been closed.
bool Restored::is_finished(NodeId id) const {
  const auto unfinished = [&](NodeId above) {
    NodeId c = tree_[above].first_child;
    while (c != kNoNode && tree_[c].state == NodeState::closed) c = tree_[c].next_sibling;
    return c;
  };
  if (tree_[id].state == NodeState::closed || tree_[id].first_child == kNoNode || unfinished(id) != kNoNode) return false;
  for (; !tree_[id].free; id = tree_[id].parent)
    if (unfinished(tree_[id].parent) != id) return false;
  return true;
}

// Does each thread that was scheduled at an open node have a transition there, or sleep there?
bool Restored::is_complete(const Node& n) const {
  const bool bounded = options_.preemptions && n.preemptions >= *options_.preemptions && !found_.left_out.empty();
  if (n.state != NodeState::open || has_sequences_ || bounded) return true;
  ThreadSet there;
  for (NodeId c = n.first_child; c != kNoNode; c = tree_[c].next_sibling) there.insert(tree_[c].choice.thread);
  for (const NodeId s : n.sleep) there.insert(tree_[s].choice.thread);
  return there.contains_all(n.backtrack);
}

}  // namespace inspect::search
