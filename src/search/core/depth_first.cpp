#include "search/core/depth_first.hpp"

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

std::optional<NodeId> DepthFirst::take_nearest(const std::function<bool(NodeId)>& may) {
  for (std::size_t depth = 0; depth <= deepest_ && depth < by_depth_.size(); ++depth) {
    auto& nodes = by_depth_[depth];
    const auto at = std::ranges::find_if(nodes, may);
    if (at == nodes.end()) continue;
    const NodeId node = *at;
    nodes.erase(at);
    --count_;
    return node;
  }
  return std::nullopt;
}

void DepthFirst::remove(NodeId node) {
  for (auto& nodes : by_depth_) count_ -= std::erase(nodes, node);
}

}  // namespace inspect::search
