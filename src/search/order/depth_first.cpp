#include "search/order/depth_first.hpp"

#include <algorithm>

namespace inspect::search {

void DepthFirst::add(NodeId node, std::uint32_t depth) {
  if (depth >= by_depth_.size()) by_depth_.resize(depth + 1u);
  by_depth_[depth].push_back(node);
  deepest_ = std::max(deepest_, static_cast<std::size_t>(depth));
  ++count_;
}

std::optional<NodeId> DepthFirst::take() {
  if (!count_) return std::nullopt;
  while (by_depth_[deepest_].empty()) --deepest_;
  const NodeId node = by_depth_[deepest_].back();
  by_depth_[deepest_].pop_back();
  --count_;
  return node;
}

}  // namespace inspect::search
