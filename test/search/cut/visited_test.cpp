#include "search/cut/visited.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "walk.hpp"

namespace inspect::search {
namespace {

constexpr StateId kState{7, 1};
using Arrival = Visited::Arrival;
using Summary = std::vector<std::pair<ThreadId, std::uint64_t>>;  // thread and object of each operation

// Which states are the same is said by the test. A pending child keeps the state open in which threads 1 to 3 are about to
// store.
class VisitedTest : public testing::Test {
 protected:
  VisitedTest()
      : w("thread 0: create t1; create t2; create t3; thread 1: store x0 1; store x3 1; thread 2: store x1 1; thread 3: store "
          "x2 1") {
    w.start(3);
    begin = w.depth();
    for (ThreadId t = 1; t <= 3; ++t) stores.push_back(w.next(t).object);
    w.tree().listen(&visited);
    w.add_pending(0);
  }

  // One transition from the first state, and what sleeps behind it.
  Arrival begin_with(ThreadId t, StateId state, std::vector<NodeId> sleep = {}) {
    w.back_to(begin);
    w.take(t);
    w.tree()[w.here()].sleep = std::move(sleep);
    return visited.arrive(w.path(), w.here(), state);
  }
  Arrival go_on_with(ThreadId t, StateId state = {}) {
    w.take(t);
    return visited.arrive(w.path(), w.here(), state);
  }
  void close() { w.tree().close_finished(w.here()); }
  NodeId sleeper(ThreadId t) { return w.tree().add_sleeper({t, 0}, {}); }
  Summary after(NodeId node) {
    Summary all;
    Summaries::for_each(visited.after(node), [&](Summaries::Number n) {
      const ThreadOperation& o = visited.summaries().operation(n);
      all.emplace_back(o.thread, o.operation.object);
    });
    return all;
  }

  Walk w;
  Visited visited{w.tree()};
  std::uint32_t begin = 0;
  std::vector<std::uint64_t> stores;  // objects of threads 1 to 3
};

// Threads 1 and 2 in the one order and the other: the same state. Thread 3 is behind it.
TEST_F(VisitedTest, AStateIsKnownOnceAllBelowItIsExplored) {
  begin_with(1, {});
  const NodeId first = w.here();
  EXPECT_EQ(go_on_with(2, kState), Arrival::fresh);
  go_on_with(3);
  close();
  begin_with(2, {});
  EXPECT_EQ(go_on_with(1, kState), Arrival::known);
  EXPECT_EQ(after(w.here()), (Summary{{3, stores[2]}}));
  EXPECT_EQ(after(first), (Summary{{3, stores[2]}, {2, stores[1]}}));  // all that came behind thread 1, not the next only
  const NodeId second = w.path().node(begin + 1);
  close();
  EXPECT_EQ(after(second), (Summary{{3, stores[2]}, {1, stores[0]}}));  // what is behind the cut can happen behind thread 2
  EXPECT_EQ(visited.size(), 1u);
}

TEST_F(VisitedTest, WhatIsExploredElsewhereIsNotKnownYet) {
  begin_with(1, kState);
  EXPECT_EQ(begin_with(2, kState), Arrival::fresh);
}

TEST_F(VisitedTest, AStateOnTheWayFromItselfIsACycle) {
  begin_with(1, kState);
  EXPECT_EQ(go_on_with(2, kState), Arrival::cycle);
}

// Something cut the search below: what else can happen there nobody knows, nor above it.
TEST_F(VisitedTest, WhatWasSpoiltIsNeverKnown) {
  begin_with(1, kState);
  const NodeId first = w.here();
  go_on_with(2);
  visited.spoil(w.here());
  close();
  EXPECT_FALSE(visited.complete(first));
  EXPECT_EQ(begin_with(2, kState), Arrival::fresh);
  EXPECT_TRUE(visited.complete(w.here()));
}

// What slept there was left out there, so it must sleep here too.
TEST_F(VisitedTest, AStateIsKnownOnlyWhereAllThatSleptSleeps) {
  const NodeId asleep = sleeper(3), other = sleeper(0);
  begin_with(1, kState, {asleep});
  close();
  EXPECT_EQ(begin_with(2, kState, {other}), Arrival::fresh);
  EXPECT_EQ(w.tree()[w.here()].sleep, std::vector<NodeId>{});  // what is explored now stands for both: what sleeps both times
  EXPECT_EQ(begin_with(3, kState, {other, asleep}), Arrival::known);
}

// Explored again with nobody asleep, it is known everywhere.
TEST_F(VisitedTest, WhatIsExploredAgainStandsForMore) {
  begin_with(1, kState, {sleeper(3)});
  close();
  EXPECT_EQ(begin_with(2, kState), Arrival::fresh);
  close();
  EXPECT_EQ(begin_with(3, kState), Arrival::known);
}

// … but not if more slept the second time.
TEST_F(VisitedTest, WhatIsExploredAgainDoesNotStandForLess) {
  begin_with(1, kState);
  begin_with(2, kState, {sleeper(3)});
  const NodeId second = w.here();
  begin_with(1, kState);
  close();
  w.tree().close_finished(second);
  EXPECT_EQ(begin_with(3, kState), Arrival::known);
}

TEST_F(VisitedTest, WhatIsLikeNoOtherIsNeverKnown) {
  begin_with(1, {});
  close();
  EXPECT_EQ(begin_with(2, {}), Arrival::fresh);
  EXPECT_EQ(visited.size(), 0u);
}

TEST_F(VisitedTest, WhatWaitsCanHappenToo) {
  begin_with(1, kState);
  visited.add_waiting(w.here(), {3, w.next(3), 0});
  close();
  EXPECT_EQ(begin_with(2, kState), Arrival::known);
  EXPECT_EQ(after(w.here()), (Summary{{3, stores[2]}}));
}

// A thread's lock is held before its unlock, not before its lock.
TEST(Visited, SummariesSayWhatIsHeldBefore) {
  Walk w("thread 0: create t1; thread 1: lock m0; unlock m0");
  Visited visited(w.tree());
  w.tree().listen(&visited);
  w.start(1);
  const NodeId start = w.here();
  for (int i = 0; i < 2; ++i) {
    w.take(1);
    visited.arrive(w.path(), w.here(), {});
  }
  const Lockset held = w.path().locks_before(w.depth());
  EXPECT_NE(held, 0u);
  w.tree().close_finished(w.here());
  std::vector<std::pair<unsigned, Lockset>> all;
  Summaries::for_each(visited.after(start), [&](Summaries::Number n) {
    all.emplace_back(visited.summaries().operation(n).operation.kind, visited.summaries().operation(n).locks);
  });
  EXPECT_EQ(all, (std::vector<std::pair<unsigned, Lockset>>{{INSPECT_OP_MutexUnlock, held}, {INSPECT_OP_MutexLock, 0}}));
}

TEST(Summaries, EqualOnesHaveOneNumber) {
  Summaries all;
  Operation store{};
  store.kind = INSPECT_OP_AtomicStore;
  store.object = 100;
  store.size = 4;
  store.site = 1;
  Operation elsewhere = store;
  elsewhere.site = 2;  // where it stands in the program does not matter
  const Summaries::Number one = all.number_of(ThreadOperation{1, store, 0});
  EXPECT_EQ(all.number_of(ThreadOperation{1, elsewhere, 0}), one);
  EXPECT_NE(all.number_of(ThreadOperation{2, store, 0}), one);
  EXPECT_NE(all.number_of(ThreadOperation{1, store, 1}), one);
  Operation section = store, other_section = elsewhere;
  section.kind = other_section.kind = INSPECT_OP_AtomicSection;  // of which the place says what it touches
  EXPECT_NE(all.number_of(ThreadOperation{1, section, 0}), all.number_of(ThreadOperation{1, other_section, 0}));

  Summaries::Set a, b;
  Summaries::insert(a, 3);
  Summaries::insert(a, 70);
  Summaries::insert(b, 70);
  Summaries::insert(b, 3);
  EXPECT_EQ(all.number_of(a), all.number_of(b));
  Summaries::Set c;
  Summaries::insert(c, 5);
  Summaries::insert(c, a);
  std::vector<Summaries::Number> members;
  Summaries::for_each(c, [&](Summaries::Number n) { members.push_back(n); });
  EXPECT_EQ(members, (std::vector<Summaries::Number>{3, 5, 70}));
}

}  // namespace
}  // namespace inspect::search
