#include "search/core/tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace inspect::search {
namespace {

std::vector<Event> events_of(ThreadId t, std::size_t n) {
  std::vector<Event> events(n);
  for (Event& e : events) e.choice.thread = t;
  return events;
}

// Adds a chain of executed nodes below `from`; returns the last.
NodeId execute(Tree& tree, NodeId from, ThreadId t, std::size_t n) {
  const std::uint32_t segment = tree.keep(events_of(t, n));
  for (std::uint32_t i = 0; i < n; ++i) {
    from = tree.add_child(from, {t, 0}, {});
    tree.set_executed(from, segment, i);
  }
  return from;
}

TEST(Tree, AFinishedSubtreeShrinksToItsRoot) {
  Tree tree;
  const NodeId first = execute(tree, Tree::kRoot, 0, 1);
  const NodeId pending = tree.add_child(Tree::kRoot, {1, 0}, {});
  const NodeId leaf = execute(tree, first, 0, 5);
  EXPECT_EQ(tree.live(), 8u);
  tree.close_finished(leaf);
  EXPECT_EQ(tree[first].state, NodeState::closed);
  EXPECT_EQ(tree[Tree::kRoot].state, NodeState::open);
  EXPECT_EQ(tree.live(), 3u);  // root, `first`, which may sleep in `pending`, and `pending`
  EXPECT_EQ(tree[tree.child_of(Tree::kRoot, 0)].choice, (Choice{0, 0}));

  const std::uint32_t segment = tree.keep(events_of(1, 1));
  tree.set_executed(pending, segment, 0);
  tree.close_finished(pending);
  EXPECT_EQ(tree[Tree::kRoot].state, NodeState::closed);
  EXPECT_EQ(tree.live(), 1u);
}

TEST(Tree, APendingChildKeepsItsAncestorsOpen) {
  Tree tree;
  const NodeId middle = execute(tree, Tree::kRoot, 0, 2);
  const NodeId leaf = execute(tree, middle, 0, 2);
  tree.add_child(middle, {1, 0}, {});
  tree.close_finished(leaf);
  EXPECT_EQ(tree[middle].state, NodeState::open);
  EXPECT_EQ(tree.event(middle).choice.thread, 0);
}

TEST(Tree, NodesAreRecycled) {
  Tree tree;
  tree.add_child(Tree::kRoot, {1, 0}, {});
  NodeId highest = 0;
  for (int i = 0; i < 100; ++i) {
    const NodeId leaf = execute(tree, Tree::kRoot, 0, 50);
    highest = std::max(highest, leaf);
    tree.close_finished(leaf);
  }
  EXPECT_EQ(tree.live(), 102u);  // the root, the pending child, a closed one each time
  EXPECT_LE(highest, 160u);
}

}  // namespace
}  // namespace inspect::search
