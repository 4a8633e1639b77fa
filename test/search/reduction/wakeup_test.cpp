#include "search/reduction/wakeup.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "walk.hpp"

namespace inspect::search {
namespace {

// Threads 1, 2 and 4 conflict on x0; thread 3 has x1 for itself. The path goes on with thread 1.
class WakeupTest : public testing::Test {
 protected:
  WakeupTest()
      : w("thread 0: create t1; create t2; create t3; create t4;"
          "thread 1: store x0 1; thread 2: r0 = load x0; thread 3: store x1 1; thread 4: store x0 4"),
        wakeup(w.tree(), w.path(), false) {
    w.start(4);
    state = w.depth();
    node = w.here();
    one = w.step(1), two = w.step(2), three = w.step(3), four = w.step(4);
    w.take(1);
    first = w.here();
  }

  Node& at(NodeId id) { return w.tree()[id]; }
  std::vector<ThreadId> children_of(NodeId id) {
    std::vector<ThreadId> all;
    for (NodeId c = at(id).first_child; c != kNoNode; c = at(c).next_sibling) all.push_back(at(c).choice.thread);
    return all;
  }
  NodeId insert(std::vector<SequenceStep> sequence) { return wakeup.insert(node, first, sequence); }
  NodeId sleeper(const SequenceStep& s) { return w.tree().add_sleeper(s.choice, s.operation); }
  [[nodiscard]] std::size_t delayed() const { return wakeup.delayed().size(); }

  Walk w;
  Wakeup wakeup;
  std::uint32_t state = 0;
  NodeId node = 0, first = 0;  // of the state before thread 1's store, and behind it
  SequenceStep one, two, three, four;
};

using Threads = std::vector<ThreadId>;
using Nodes = std::vector<NodeId>;

// Thread 1's store would sleep in the new branch, but thread 2's load depends on it: from there on all is awake, and the rest
// of the sequence is not needed.
TEST_F(WakeupTest, ABranchEndsWhereAllAreAwake) {
  const NodeId leaf = insert({two, three});
  ASSERT_NE(leaf, kNoNode);
  EXPECT_EQ(at(leaf).parent, node);
  EXPECT_EQ(at(leaf).choice, two.choice);
  EXPECT_EQ(at(leaf).sleep, Nodes{});
  EXPECT_TRUE(at(leaf).free);
  EXPECT_EQ(children_of(node), (Threads{1, 2}));
  EXPECT_EQ(children_of(leaf), Threads{});
}

// Thread 3's store leaves thread 1's asleep; only thread 2's load wakes it.
TEST_F(WakeupTest, ABranchIsAsLongAsSomebodySleeps) {
  const NodeId leaf = insert({three, two});
  ASSERT_NE(leaf, kNoNode);
  const NodeId between = at(leaf).parent;
  EXPECT_EQ(at(between).parent, node);
  EXPECT_EQ(at(between).choice, three.choice);
  EXPECT_EQ(at(between).sleep, Nodes{first});
  EXPECT_FALSE(at(between).free);
  EXPECT_EQ(at(leaf).choice, two.choice);
  EXPECT_EQ(at(leaf).sleep, Nodes{});
  EXPECT_TRUE(at(leaf).free);
}

// Of a step whose outcome is open it is not known what it wakes.
TEST_F(WakeupTest, AnOpenStepIsNotFree) {
  two.exact = false;
  const NodeId leaf = insert({two});
  ASSERT_NE(leaf, kNoNode);
  EXPECT_FALSE(at(leaf).exact);
  EXPECT_FALSE(at(leaf).free);
  EXPECT_EQ(at(leaf).sleep, Nodes{first});
}

// Nobody sleeps, but what the open step turns out to be may matter to the next one: that is part of the branch.
TEST_F(WakeupTest, ABranchDoesNotEndWithAnOpenStep) {
  at(first).never_sleeps = true;
  two.exact = false;
  const NodeId leaf = insert({two, three});
  ASSERT_NE(leaf, kNoNode);
  EXPECT_EQ(at(leaf).choice, three.choice);
  EXPECT_TRUE(at(leaf).free);
  EXPECT_EQ(at(at(leaf).parent).choice, two.choice);
  EXPECT_FALSE(at(at(leaf).parent).free);
}

TEST_F(WakeupTest, WhatASleeperCanBeginIsCovered) {
  at(node).sleep = {sleeper(two)};
  EXPECT_EQ(insert({two, three}), kNoNode);
  EXPECT_EQ(insert({three, two}), kNoNode);  // nothing before it that it depends on
  EXPECT_NE(insert({four, two}), kNoNode);   // it reads what thread 4 stores
}

// A sleeper that is independent of the whole sequence can come first in what follows it.
TEST_F(WakeupTest, ASleeperBesideTheSequenceCoversIt) {
  at(node).sleep = {sleeper(three)};
  EXPECT_EQ(insert({two, four}), kNoNode);
}

// The same thread with another alternative is another transition.
TEST_F(WakeupTest, ASleeperWithAnotherAlternativeCoversNothing) {
  SequenceStep other = two;
  other.choice.alternative = 1;
  at(node).sleep = {sleeper(other)};
  EXPECT_NE(insert({two}), kNoNode);
}

// What ended in a bug stands for nothing but what begins with itself.
TEST_F(WakeupTest, WhatNeverSleepsCoversOnlyItself) {
  const NodeId bug = sleeper(three);
  at(bug).never_sleeps = true;
  EXPECT_TRUE(wakeup.is_covered(Nodes{bug}, std::vector{three, two}));
  EXPECT_FALSE(wakeup.is_covered(Nodes{bug}, std::vector{two, three}));
  at(bug).never_sleeps = false;
  EXPECT_TRUE(wakeup.is_covered(Nodes{bug}, std::vector{two, three}));
}

// The path goes on with thread 4; thread 1 was explored before: what may begin with it was asked for there.
TEST_F(WakeupTest, AChildBeforeThePathCovers) {
  at(first).free = false;
  const NodeId later = w.tree().add_child(node, four.choice, four.operation);
  EXPECT_EQ(wakeup.insert(node, later, std::vector{one, two}), kNoNode);
  EXPECT_EQ(children_of(node), (Threads{1, 4}));
  EXPECT_EQ(children_of(first), Threads{});
}

// Nothing sleeps in the branch, so all that begins like it is explored below it anyway.
TEST_F(WakeupTest, AFreeChildCoversWhatBeginsLikeIt) {
  ASSERT_NE(insert({two}), kNoNode);
  EXPECT_EQ(insert({two, four}), kNoNode);
  EXPECT_EQ(children_of(node), (Threads{1, 2}));
  EXPECT_EQ(delayed(), 0u);
}

// Two sequences that begin with thread 3's store share that, and part where they differ.
TEST_F(WakeupTest, SequencesShareTheirBeginning) {
  const NodeId leaf = insert({three, two});
  const NodeId between = at(leaf).parent;
  const NodeId other = insert({three, four});
  ASSERT_NE(other, kNoNode);
  EXPECT_EQ(at(other).parent, between);
  EXPECT_EQ(children_of(node), (Threads{1, 3}));
  EXPECT_EQ(children_of(between), (Threads{2, 4}));
  EXPECT_TRUE(at(other).free);  // thread 4's store wakes both
  EXPECT_EQ(insert({three, two}), kNoNode);
}

// Below a pending leaf in which somebody sleeps it is not known yet who: the sequence waits until it is executed.
TEST_F(WakeupTest, ASequenceWaitsForWhatIsNotExecuted) {
  const NodeId child = wakeup.append(node, two.choice, two.operation);
  EXPECT_EQ(at(child).sleep, Nodes{first});
  EXPECT_FALSE(at(child).free);
  EXPECT_EQ(insert({two, four}), kNoNode);
  EXPECT_EQ(delayed(), 1u);

  w.back_to(state);
  w.take(2);
  ASSERT_EQ(w.here(), child);
  at(child).sleep.clear();
  Nodes leaves;
  wakeup.resume(node, leaves);
  EXPECT_EQ(leaves, Nodes{});  // not the one it waits for
  wakeup.resume(child, leaves);
  ASSERT_EQ(leaves.size(), 1u);
  EXPECT_EQ(at(leaves[0]).parent, child);
  EXPECT_EQ(at(leaves[0]).choice, four.choice);
  EXPECT_EQ(delayed(), 0u);
}

// When a leaf is sent, earlier siblings sleep in it, but for what its own transition wakes.
TEST_F(WakeupTest, EarlierSiblingsFallAsleepWhenALeafIsSent) {
  const NodeId under_way = w.tree().add_child(node, two.choice, two.operation);
  const NodeId leaf = w.tree().add_child(node, three.choice, three.operation);
  w.tree().add_child(node, four.choice, four.operation);  // sent later
  wakeup.fall_asleep(leaf);
  EXPECT_EQ(at(leaf).sleep, (Nodes{first, under_way}));
  at(first).never_sleeps = true;
  wakeup.fall_asleep(leaf);
  EXPECT_EQ(at(leaf).sleep, Nodes{under_way});
  wakeup.fall_asleep(under_way);
  EXPECT_EQ(at(under_way).sleep, Nodes{});
}

// Who sleeps is doubtful as long as the outcome of an earlier sibling is open.
TEST_F(WakeupTest, AnOpenSiblingIsDoubtful) {
  const NodeId open = w.tree().add_child(node, two.choice, two.operation);
  const NodeId leaf = w.tree().add_child(node, three.choice, three.operation);
  EXPECT_FALSE(wakeup.must_wait(leaf));
  at(open).exact = false;
  EXPECT_TRUE(wakeup.must_wait(leaf));
  EXPECT_FALSE(wakeup.must_wait(open));
}

}  // namespace
}  // namespace inspect::search
