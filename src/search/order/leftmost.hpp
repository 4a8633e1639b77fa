// The first pending leaf of the tree: siblings in their order, each subtree before the next.
//
// What is left of a node can still insert wakeup sequences below it, so finishing the left first lets the tree shrink soonest.
#pragma once
#include "search/order/order.hpp"

namespace inspect::search {

class Leftmost final : public Order {
 public:
  explicit Leftmost(Tree& tree) : tree_(tree) {}
  void add(NodeId node, std::uint32_t depth) override;
  std::optional<NodeId> take() override;
  [[nodiscard]] bool empty() const override { return tree_[Tree::kRoot].waiting == 0; }

 private:
  Tree& tree_;
};

}  // namespace inspect::search
