// The leftmost pending leaf of the tree first: siblings in their order, each subtree before the next.
//
// For trees in which a node cannot close before the subtrees to its left are finished, since these can still insert something
// below it: so the tree shrinks soonest.
#pragma once
#include "search/core/order.hpp"

namespace inspect::search {

class Leftmost final : public Order {
 public:
  explicit Leftmost(Tree& tree) : tree_(tree) {}
  void add(NodeId node, std::uint32_t depth) override;
  std::optional<NodeId> take() override;
  std::optional<NodeId> take_nearest(const std::function<bool(NodeId)>& may) override;
  void remove(NodeId node) override { tree_.count_waiting(node, -1); }
  [[nodiscard]] std::size_t size() const override { return tree_[Tree::kRoot].waiting + tree_[Tree::kAbroad].waiting; }

 private:
  Tree& tree_;
};

}  // namespace inspect::search
