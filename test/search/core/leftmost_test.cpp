#include "search/core/leftmost.hpp"

#include <gtest/gtest.h>

namespace inspect::search {
namespace {

// Two subtrees: the left one has a leaf below the root's first child, and one deeper.
struct TwoSubtrees {
  Tree tree;
  NodeId left = tree.add_child(Tree::kRoot, {0, 0}, {}), right = tree.add_child(Tree::kRoot, {1, 0}, {});
  NodeId upper = tree.add_child(left, {0, 0}, {}), between = tree.add_child(left, {1, 0}, {});
  NodeId deeper = tree.add_child(between, {0, 0}, {});
  Leftmost order{tree};
  TwoSubtrees() {
    for (const NodeId n : {right, deeper, upper}) order.add(n, tree[n].depth);
  }
};

TEST(Leftmost, TakesFromTheLeftWhateverCameFirst) {
  TwoSubtrees t;
  EXPECT_EQ(t.order.size(), 3u);
  EXPECT_EQ(t.order.take(), t.upper);
  EXPECT_EQ(t.order.take(), t.deeper);
  EXPECT_EQ(t.order.take(), t.right);
  EXPECT_FALSE(t.order.take());
}

TEST(Leftmost, TakesTheNearestForOthers) {
  TwoSubtrees t;
  EXPECT_EQ(t.order.take_nearest([](NodeId) { return true; }), t.right);
  EXPECT_EQ(t.order.take_nearest([&](NodeId n) { return n != t.upper; }), t.deeper);
  EXPECT_FALSE(t.order.take_nearest([](NodeId) { return false; }));
  EXPECT_EQ(t.order.size(), 1u);
}

TEST(Leftmost, WhatIsRemovedIsNotTaken) {
  TwoSubtrees t;
  t.order.remove(t.upper);
  EXPECT_EQ(t.order.take(), t.deeper);
}

}  // namespace
}  // namespace inspect::search
