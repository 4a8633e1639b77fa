#include "search/reduction/wakeup.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "search/causality/reversal.hpp"
#include "search/core/leftmost.hpp"
#include "search/core/outcome.hpp"
#include "search/mutation.hpp"
#include "search/reduction/sleep_sets.hpp"

namespace inspect::search {

std::unique_ptr<Order> Wakeup::make_order() const { return std::make_unique<Leftmost>(tree_); }

// Sequences need outcomes that can be foretold, and the tree keeps all that later sequences may need: it can outgrow memory.
bool Wakeup::is_beyond(const Execution& execution) const {
  constexpr std::size_t kMostNodes = 1u << 21;
  const auto placed = [](const Event& e) { return Reversal::places(e.operation) && Reversal::places(e.next.operation); };
  // After a bug, what other threads would have done is not known, so no sequence can be made of it.
  const bool cut = execution.end == EndKind::bug && cuts_short(execution.detail) && keep_going_;
  return cut || execution.end == EndKind::diverged || tree_.live() > kMostNodes ||
         !std::ranges::all_of(execution.events, placed);
}

// Is it a weak initial of what is left of the sequence: either a transition of it that depends on nothing before it there, or
// independent of all of it?
bool Wakeup::can_come_first(NodeId id) const {
  const Node& node = tree_[id];
  if (node.never_sleeps) return !rest_.empty() && rest_.front().choice == node.choice;  // depends on everything
  const Label own = label(id);
  for (const SequenceStep& s : rest_) {
    if (s.choice.thread == node.choice.thread) return s.choice == node.choice;
    if (dependent(label(s), own)) return false;
  }
  return !mutated(Mutation::initials_are_not_weak);
}

bool Wakeup::covered_at(NodeId id) const {
  if (mutated(Mutation::insert_despite_sleepers)) return false;
  return std::ranges::any_of(tree_[id].sleep, [&](NodeId s) { return can_come_first(s); });
}

bool Wakeup::is_covered(std::span<const NodeId> by, std::span<const SequenceStep> sequence) {
  rest_.assign(sequence.begin(), sequence.end());
  return std::ranges::any_of(by, [&](NodeId s) { return can_come_first(s); });
}

NodeId Wakeup::insert(NodeId node, NodeId through, std::span<const SequenceStep> sequence) {
  rest_.assign(sequence.begin(), sequence.end());
  return descend(node, through);
}

// `on_path` is the child of `id` that the execution went through: those before it are covered already.
NodeId Wakeup::descend(NodeId id, NodeId on_path) {
  while (!covered_at(id)) {
    NodeId child = tree_[id].first_child;
    for (; child != kNoNode && !can_come_first(child); child = tree_[child].next_sibling)
      if (child == on_path) on_path = kNoNode;
    if (child == kNoNode) return branch(id);
    if (on_path != kNoNode || tree_[child].free || mutated(Mutation::sequences_stop_at_children)) return kNoNode;
    take(tree_[child].choice);
    if (rest_.empty()) return kNoNode;
    id = child;
    // Who sleeps below is not known before it is executed.
    if (!tree_.executed(id) && tree_[id].first_child == kNoNode) {
      delayed_.push_back({id, rest_});
      return kNoNode;
    }
    CHECK(tree_[id].state != NodeState::closed, "a wakeup sequence for a subtree that is gone");
  }
  return kNoNode;
}

void Wakeup::take(Choice choice) {
  const auto at = std::ranges::find_if(rest_, [&](const SequenceStep& s) { return s.choice.thread == choice.thread; });
  if (at != rest_.end()) rest_.erase(at);
}

// What sleeps in a new child of the node, before its transition.
void Wakeup::put_to_sleep_below(NodeId id) {
  asleep_ = tree_[id].sleep;
  for (NodeId c = tree_[id].first_child; c != kNoNode; c = tree_[c].next_sibling)
    if (!tree_[c].never_sleeps) asleep_.push_back(c);
}

void Wakeup::wake_by(const Label& by, ThreadId thread) {
  std::erase_if(asleep_, [&](NodeId s) { return tree_[s].choice.thread == thread || dependent(label(s), by); });
}

void Wakeup::wake(NodeId node, const Label& executed) {
  wake_dependent(tree_, path_, node, executed);
  tree_[node].free = tree_[node].sleep.empty();
}

NodeId Wakeup::branch(NodeId id) {
  put_to_sleep_below(id);
  // How a sleeper comes out that was not executed yet is not known: it may stay asleep longer than it seems.
  const bool doubtful = std::ranges::any_of(asleep_, [&](NodeId s) { return !tree_.executed(s) && !tree_[s].exact; });
  for (const SequenceStep& s : rest_) {
    id = tree_.add_child(id, s.choice, s.operation);
    Node& node = tree_[id];
    node.exact = s.exact;
    if (s.exact) wake_by(label(s), s.choice.thread);
    node.sleep = asleep_;
    node.free = s.exact && asleep_.empty() && !doubtful;
    if (s.exact && asleep_.empty()) break;
    if (!s.exact) wake_by(label(s), s.choice.thread);
  }
  return id;
}

void Wakeup::fall_asleep(NodeId leaf) {
  chain_.clear();
  for (; !tree_.executed(leaf); leaf = tree_[leaf].parent) chain_.push_back(leaf);
  asleep_ = tree_[leaf].sleep;
  for (; !chain_.empty(); chain_.pop_back()) {
    const NodeId id = chain_.back();
    Node& node = tree_[id];
    for (NodeId c = tree_[node.parent].first_child; c != id; c = tree_[c].next_sibling)
      if (!tree_[c].never_sleeps) asleep_.push_back(c);
    if (node.exact) wake_by(label(id), node.choice.thread);
    node.sleep = asleep_;
  }
}

bool Wakeup::must_wait(NodeId leaf) const {
  for (; !tree_.executed(leaf); leaf = tree_[leaf].parent)
    for (NodeId c = tree_[tree_[leaf].parent].first_child; c != leaf; c = tree_[c].next_sibling)
      if (!tree_.executed(c) && !tree_[c].exact) return true;
  return std::ranges::any_of(tree_[leaf].sleep, [&](NodeId s) { return !tree_.executed(s) && !tree_[s].exact; });
}

NodeId Wakeup::append(NodeId id, Choice choice, const Operation& operation) {
  put_to_sleep_below(id);
  const NodeId child = tree_.add_child(id, choice, operation);
  tree_[child].sleep = asleep_;
  tree_[child].exact = tree_[child].free = false;
  return child;
}

void Wakeup::resume(NodeId node, std::vector<NodeId>& leaves) {
  for (std::size_t i = 0; i < delayed_.size();) {
    if (delayed_[i].node != node) {
      ++i;
      continue;
    }
    rest_ = std::move(delayed_[i].steps);
    delayed_.erase(delayed_.begin() + static_cast<std::ptrdiff_t>(i));
    const NodeId leaf = descend(node, kNoNode);
    if (leaf != kNoNode) leaves.push_back(leaf);
  }
}

}  // namespace inspect::search
