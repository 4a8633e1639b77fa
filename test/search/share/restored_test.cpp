#include "search/share/restored.hpp"

#include <gtest/gtest.h>

#include "walk.hpp"

namespace inspect::search {
namespace {

// Thread 1's store was explored, with two executions below it; thread 2's is to come. Nothing sleeps.
class RestoredTest : public testing::Test {
 protected:
  RestoredTest() {
    Event e{};
    e.operation.kind = INSPECT_OP_AtomicStore;
    e.operation.object = 64;
    e.operation.size = 8;
    explored = tree.add_child(Tree::kRoot, {0, 0}, e.operation);
    tree.set_executed(explored, tree.keep({e}), 0);
    tree[explored].sent = true;
    tree[explored].executions = 2;
    tree[explored].state = NodeState::closed;
    pending = tree.add_child(Tree::kRoot, {1, 0}, e.operation);
    tree[Tree::kRoot].backtrack = threads({0, 1});
    tree[Tree::kRoot].executions = 2;
    found.threads = 2;
    found.max_depth = 1;
    found.executions = 2;
  }
  [[nodiscard]] bool fits() const { return !Restored(tree, has_sequences, options, found).contradiction(); }

  Tree tree;
  bool has_sequences = false;
  Options options;
  Outcome found;
  NodeId explored = 0, pending = 0;
};

TEST_F(RestoredTest, WhatASearchWritesFits) { EXPECT_TRUE(fits()); }

TEST_F(RestoredTest, AHashBelongsToItsTransition) {
  tree[explored].hash ^= 1;
  EXPECT_FALSE(fits());
}

TEST_F(RestoredTest, ThreadsAreThoseThatWereSeen) {
  found.threads = 1;
  EXPECT_FALSE(fits());
}

TEST_F(RestoredTest, WhatIsScheduledIsThere) {
  tree[Tree::kRoot].backtrack = threads({0, 1, 2});
  EXPECT_FALSE(fits());
  tree[Tree::kRoot].backtrack = threads({0});
  EXPECT_FALSE(fits());
}

TEST_F(RestoredTest, ExecutionsAreThoseOfTheChildren) {
  tree[Tree::kRoot].executions = 3;
  EXPECT_FALSE(fits());
}

TEST_F(RestoredTest, NothingComesTwice) {
  tree.add_child(Tree::kRoot, {1, 0}, tree[pending].operation);
  EXPECT_FALSE(fits());
}

TEST_F(RestoredTest, OnlyWhatWasExploredSleeps) {
  tree[pending].sleep = {tree.add_sleeper({0, 0}, tree[explored].operation)};
  EXPECT_TRUE(fits());
  tree[pending].sleep = {tree.add_sleeper({2, 0}, tree[explored].operation)};
  EXPECT_FALSE(fits());
}

TEST_F(RestoredTest, WhatIsPendingWasNotExecuted) {
  tree[pending].hash = 1;
  EXPECT_FALSE(fits());
}

TEST_F(RestoredTest, PreemptionsAreCountedUnderABoundOnly) {
  tree[explored].preemptions = 1;
  EXPECT_FALSE(fits());
  options.preemptions = 2;
  EXPECT_TRUE(fits());
  tree[explored].preemptions = 2;
  EXPECT_FALSE(fits());
}

}  // namespace
}  // namespace inspect::search
