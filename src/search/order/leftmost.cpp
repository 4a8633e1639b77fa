#include "search/order/leftmost.hpp"

namespace inspect::search {

void Leftmost::add(NodeId node, std::uint32_t) { tree_.count_waiting(node, 1); }

std::optional<NodeId> Leftmost::take() {
  if (empty()) return std::nullopt;
  NodeId id = Tree::kRoot;
  while (tree_[id].first_child != kNoNode) {
    id = tree_[id].first_child;
    while (!tree_[id].waiting) id = tree_[id].next_sibling;
  }
  tree_.count_waiting(id, -1);
  return id;
}

}  // namespace inspect::search
