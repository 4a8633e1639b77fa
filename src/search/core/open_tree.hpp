// The tree while it is explored, with what belongs to it: the path of the execution under analysis, the order of what is
// pending, and how branches are added.
//
// Deliberately unknown here: rounds, results, who explores what.
#pragma once
#include <memory>
#include <vector>

#include "search/causality/sections.hpp"
#include "search/core/order.hpp"
#include "search/core/path.hpp"
#include "search/core/tree.hpp"
#include "search/reduction/reduction.hpp"

namespace inspect::search {

struct OpenTree {
  OpenTree(const Reduction& reduction, bool keep_going);

  // Only the initial state is left, now for this reduction. What sections touch stays known.
  void clear(const Reduction& reduction, bool keep_going);
  void add_pending(NodeId leaf) { order->add(leaf, tree[leaf].depth); }
  // Makes the path end in the state that this node led to.
  void move_to(NodeId node);
  // The nearest node above whose event is kept.
  [[nodiscard]] NodeId known_above(NodeId node) const;

  Sections sections;  // outlives a restart
  Tree tree;
  Path path;
  std::unique_ptr<Branching> branching;
  std::unique_ptr<Order> order;

 private:
  std::vector<NodeId> chain_;  // kept for its capacity
};

}  // namespace inspect::search
