#include "search/core/leftmost.hpp"

#include <utility>
#include <vector>

namespace inspect::search {

void Leftmost::add(NodeId node, std::uint32_t) { tree_.count_waiting(node, 1); }

std::optional<NodeId> Leftmost::take() {
  if (empty()) return std::nullopt;
  NodeId id = tree_[Tree::kRoot].waiting ? Tree::kRoot : Tree::kAbroad;
  while (tree_[id].first_child != kNoNode) {
    id = tree_[id].first_child;
    while (!tree_[id].waiting) id = tree_[id].next_sibling;
  }
  tree_.count_waiting(id, -1);
  return id;
}

std::optional<NodeId> Leftmost::take_nearest(const std::function<bool(NodeId)>& may) {
  std::vector<NodeId> level{Tree::kRoot, Tree::kAbroad}, next;
  for (; !level.empty(); level = std::exchange(next, {})) {
    for (const NodeId id : level) {
      if (!tree_[id].waiting) continue;
      if (tree_[id].first_child == kNoNode && may(id)) {
        tree_.count_waiting(id, -1);
        return id;
      }
      for (NodeId c = tree_[id].first_child; c != kNoNode; c = tree_[c].next_sibling) next.push_back(c);
    }
  }
  return std::nullopt;
}

}  // namespace inspect::search
