#include "search/reduction/sleep_sets.hpp"

#include <gtest/gtest.h>

#include "walk.hpp"

namespace inspect::search {
namespace {

using Use = SleepSets::Use;
using Nodes = std::vector<NodeId>;

// From one state thread 1 was explored, thread 2 is under way, and thread 3 is to be sent.
class SleepSetsTest : public testing::Test {
 protected:
  SleepSetsTest() {
    w.start(3);
    state = w.here();
    w.take(1);
    explored = w.here();
    w.back_to(w.depth() - 1);
    under_way = w.add_pending(2);
    at(under_way).state = NodeState::in_flight;
    at(under_way).sent = true;
    leaf = w.add_pending(3);
    at(state).backtrack = threads({1, 2, 3});
  }
  Node& at(NodeId id) { return w.tree()[id]; }
  Nodes sleep_of_leaf(Use use) {
    SleepSets(w.tree(), w.path(), use).fall_asleep(leaf);
    return at(leaf).sleep;
  }

  Walk w{"thread 0: create t1; create t2; create t3; thread 1: store x0 1; thread 2: store x1 1; thread 3: store x2 1"};
  NodeId state = 0, explored = 0, under_way = 0, leaf = 0;
};

TEST_F(SleepSetsTest, EarlierSiblingsSleep) {
  EXPECT_EQ(sleep_of_leaf(Use::everywhere), (Nodes{explored, under_way}));
  EXPECT_TRUE(at(leaf).sent);
}

TEST_F(SleepSetsTest, WhatIsUnderWayElsewhereMayEndInABug) {
  at(under_way).state = NodeState::away;
  EXPECT_EQ(sleep_of_leaf(Use::here), Nodes{explored});
}

TEST_F(SleepSetsTest, WhatIsUnderWayHereSleeps) {
  at(under_way).state = NodeState::in_flight;
  EXPECT_EQ(sleep_of_leaf(Use::here), (Nodes{explored, under_way}));
}

TEST_F(SleepSetsTest, WhatEndedInABugNeverSleeps) {
  at(explored).never_sleeps = at(under_way).never_sleeps = true;
  EXPECT_EQ(sleep_of_leaf(Use::everywhere), Nodes{});
}

TEST_F(SleepSetsTest, NothingSleepsWithoutThem) {
  EXPECT_EQ(sleep_of_leaf(Use::never), Nodes{});
  EXPECT_FALSE(at(leaf).sent);
}

TEST_F(SleepSetsTest, SleepersOfTheStateSleepOn) {
  const NodeId older = w.tree().add_sleeper({0, 0}, {});
  at(state).sleep = {older};
  EXPECT_EQ(sleep_of_leaf(Use::everywhere), (Nodes{older, explored, under_way}));
}

TEST_F(SleepSetsTest, AlternativesOfOneThreadDoNotSleepInEachOther) {
  at(state).backtrack = threads({3});
  EXPECT_EQ(sleep_of_leaf(Use::everywhere), Nodes{});
}

// A unit that comes back keeps its place among its siblings.
TEST_F(SleepSetsTest, WhoSleepsIsSettledOnce) {
  EXPECT_EQ(sleep_of_leaf(Use::here), (Nodes{explored, under_way}));
  at(under_way).state = NodeState::away;
  EXPECT_EQ(sleep_of_leaf(Use::here), (Nodes{explored, under_way}));
}

}  // namespace
}  // namespace inspect::search
