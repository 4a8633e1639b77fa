// The deepest pending transition first. With a batch of one this is depth-first search; with larger batches it still keeps the
// pending work, and so the memory, small.
#pragma once
#include "search/core/order.hpp"

namespace inspect::search {

class DepthFirst final : public Order {
 public:
  void add(NodeId node, std::uint32_t depth) override;
  std::optional<NodeId> take() override;
  std::optional<NodeId> take_nearest(const std::function<bool(NodeId)>& may) override;
  void remove(NodeId node) override;
  [[nodiscard]] std::size_t size() const override { return count_; }

 private:
  std::vector<std::vector<NodeId>> by_depth_;
  std::size_t deepest_ = 0;  // no node is deeper
  std::size_t count_ = 0;
};

}  // namespace inspect::search
