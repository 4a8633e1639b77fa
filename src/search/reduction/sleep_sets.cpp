#include "search/reduction/sleep_sets.hpp"

#include "search/core/depth_first.hpp"
#include "search/mutation.hpp"

namespace inspect::search {

std::unique_ptr<Order> SleepSets::make_order() const { return std::make_unique<DepthFirst>(); }

void wake_dependent(Tree& tree, const Path& path, NodeId node, const Label& executed) {
  if (mutated(Mutation::sleepers_never_wake)) return;
  std::erase_if(tree[node].sleep, [&](NodeId s) {
    const Node& sleeper = tree[s];
    return sleeper.choice.thread == tree[node].choice.thread ||
           dependent(path.label(sleeper.choice.thread, sleeper.operation), executed);
  });
}

void SleepSets::wake(NodeId node, const Label& executed) {
  if (use_ != Use::never) wake_dependent(tree_, path_, node, executed);
}

// The sleepers before the transition `leaf`: those of its state, and its siblings that were sent before it.
void SleepSets::fall_asleep(NodeId leaf) {
  Node& node = tree_[leaf];
  if (use_ == Use::never || (node.sent && !mutated(Mutation::returned_units_sleep_anew))) return;
  node.sent = true;
  node.sleep = tree_[node.parent].sleep;
  if (tree_[node.parent].backtrack.size() < 2) return;  // alternatives of one thread do not sleep in each other
  for (NodeId s = tree_[node.parent].first_child; s != kNoNode; s = tree_[s].next_sibling) {
    const Node& sibling = tree_[s];
    const bool explored = sibling.state == NodeState::open || sibling.state == NodeState::closed;
    const bool sent =
        (sibling.sent || (mutated(Mutation::siblings_sleep_both_ways) && sibling.state == NodeState::in_flight)) &&
        (use_ == Use::everywhere || sibling.state == NodeState::in_flight);
    if (s != leaf && (explored || sent) && !sibling.never_sleeps) node.sleep.push_back(s);
  }
}

}  // namespace inspect::search
