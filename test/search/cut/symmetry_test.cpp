#include "search/cut/symmetry.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "fake_host.hpp"

namespace inspect::search {
namespace {

#define ALIKE "lock m0; store x0 1; unlock m0"

// Threads 1 and 2 run the same code; which of them are symmetric in the first state is said by the test. Thread 1 is explored.
class SymmetryTest : public testing::Test {
 protected:
  explicit SymmetryTest(const char* text = "thread 0: create t1; create t2; create t3; thread 1: " ALIKE "; thread 2: " ALIKE
                                           "; thread 3: store x4 1")
      : w(text) {
    states.begin();
    cut.begin();
    w.start(3);
    state = w.here();
    begin = w.depth();
    w.tree()[state].backtrack = threads({1, 2});
  }

  void symmetric_pairs(std::vector<SymmetricPair> all, std::vector<Event> later = {}) {
    Execution e;
    e.symmetric_pairs = {std::move(all)};
    states.on_arrival(e, 0, {});
    cut.on_arrival(e, 0, later);
  }
  // A transition, seen by both cuts.
  NodeId take(ThreadId t) {
    w.take(t);
    states.on_arrival({}, 0, {});
    cut.on_arrival({}, 0, {});
    return w.here();
  }
  // Thread 1 to its end, and all is finished below; returns its first node. Then thread 2 is to be explored.
  NodeId explore_one() {
    const NodeId first = take(1);
    for (int i = 0; i < 3; ++i) take(1);
    const NodeId last = w.here();
    w.back_to(begin);
    two = w.add_pending(2);
    w.tree().close_finished(last);
    return first;
  }
  std::vector<ThreadOperation> mirrored(unsigned kind) {
    std::vector<ThreadOperation> all;
    std::ranges::copy_if(host.behind, std::back_inserter(all), [&](const auto& o) { return o.operation.kind == kind; });
    return all;
  }

  Walk w;
  FakeHost host{w};
  KnownStates states{host, false};
  Symmetry cut{host, states};
  std::uint32_t begin = 0;
  NodeId state = kNoNode, two = kNoNode;
  const SymmetricPair one_and_two{2, 1, kMaxThreads};
};

// All that thread 1 did is reversed as if thread 2 had done it; and thread 2 waited for the mutex meanwhile, as thread 1 would.
TEST_F(SymmetryTest, AMirrorImageIsLeftOut) {
  symmetric_pairs({one_and_two});
  explore_one();
  EXPECT_EQ(cut.before_send(two, {}), Cut::Sending::never);
  EXPECT_EQ(host.left_out, std::vector<NodeId>{two});
  EXPECT_EQ(w.here(), state);
  EXPECT_EQ(host.behind.size(), 5u);
  for (const ThreadOperation& o : host.behind)
    EXPECT_EQ(o.thread, o.operation.site <= 2 * 64 ? 2 : 1);  // the code is thread 1's
  EXPECT_EQ(mirrored(INSPECT_OP_MutexLock).size(), 2u);
  ASSERT_EQ(mirrored(INSPECT_OP_AtomicStore).size(), 1u);
  EXPECT_NE(mirrored(INSPECT_OP_AtomicStore)[0].locks, 0u);  // under the mutex
  ASSERT_EQ(mirrored(INSPECT_OP_ThreadExit).size(), 1u);
  EXPECT_EQ(mirrored(INSPECT_OP_ThreadExit)[0].operation.object, inspect_thread_object(2));  // its own end, not thread 1's
  Outcome o;
  cut.report(o);
  ASSERT_TRUE(o.symmetries);
  EXPECT_EQ(o.symmetries->checks, 1u);
  EXPECT_EQ(o.symmetries->successes, 1u);
}

TEST_F(SymmetryTest, OnlySymmetricThreadsAre) {
  symmetric_pairs({{3, 1, kMaxThreads}});
  explore_one();
  EXPECT_EQ(cut.before_send(two, {}), Cut::Sending::now);
  EXPECT_TRUE(host.left_out.empty());
}

// What follows thread 1 is not known as long as something below is open.
TEST_F(SymmetryTest, AMirrorImageWaitsForItsOriginal) {
  symmetric_pairs({one_and_two});
  take(1);
  w.back_to(begin);
  two = w.add_pending(2);
  const NodeId three = w.add_pending(3);
  EXPECT_EQ(cut.before_send(two, {}), Cut::Sending::later);
  EXPECT_EQ(cut.before_send(three, {}), Cut::Sending::now);
}

// Sent together, neither is the original yet.
TEST_F(SymmetryTest, AMirrorImageIsNotSentWithItsOriginal) {
  symmetric_pairs({one_and_two});
  const NodeId one = w.add_pending(1);
  two = w.add_pending(2);
  EXPECT_EQ(cut.before_send(two, {}), Cut::Sending::now);
  EXPECT_EQ(cut.before_send(two, std::vector{one}), Cut::Sending::later);
}

TEST_F(SymmetryTest, WhatWasCutHasNoMirrorImage) {
  symmetric_pairs({one_and_two});
  take(1);
  states.on_unknown_end(true);
  const NodeId last = w.here();
  w.back_to(begin);
  two = w.add_pending(2);
  w.tree().close_finished(last);
  EXPECT_EQ(cut.before_send(two, {}), Cut::Sending::now);
}

// Thread 2's transition slept before thread 1's: what thread 1 left out for that is not what thread 2 may leave out.
TEST_F(SymmetryTest, SleepersMustBeTheirOwnImages) {
  symmetric_pairs({one_and_two});
  w.tree()[state].sleep = {w.tree().add_sleeper({2, 0}, w.next(2))};
  explore_one();
  EXPECT_EQ(cut.before_send(two, {}), Cut::Sending::now);
  w.tree()[state].sleep = {w.tree().add_sleeper({1, 0}, w.next(1))};
  EXPECT_EQ(cut.before_send(two, {}), Cut::Sending::now);
  w.tree()[state].sleep = {w.tree().add_sleeper({3, 0}, w.next(3))};
  EXPECT_EQ(cut.before_send(two, {}), Cut::Sending::never);
}

// A signal to thread 1 sleeps: its mirror image is one to thread 2, which does not.
TEST_F(SymmetryTest, ASleepingSignalMustNameNeither) {
  Operation signal{};
  signal.kind = INSPECT_OP_CondSignal;
  symmetric_pairs({one_and_two});
  explore_one();
  w.tree()[state].sleep = {w.tree().add_sleeper({3, 2}, signal)};
  EXPECT_EQ(cut.before_send(two, {}), Cut::Sending::now);
  w.tree()[state].sleep = {w.tree().add_sleeper({3, 4}, signal)};
  EXPECT_EQ(cut.before_send(two, {}), Cut::Sending::never);
}

// On a stack, or in the heap, thread 2's x0 would lie elsewhere: an operation of which nothing is known.
TEST_F(SymmetryTest, WhatTheSwapMovesDependsOnEverything) {
  symmetric_pairs({one_and_two});
  take(1);
  host.told.moves = w.next(1).object;
  w.back_to(begin);
  explore_one();
  EXPECT_EQ(cut.before_send(two, {}), Cut::Sending::never);
  EXPECT_TRUE(mirrored(INSPECT_OP_AtomicStore).empty());
  ASSERT_EQ(mirrored(INSPECT_OP_AtomicSection).size(), 1u);
  EXPECT_EQ(mirrored(INSPECT_OP_AtomicSection)[0].thread, 2);
}

// The threads are symmetric but for the order in which main joins them: it must do nothing else until it has joined both.
TEST_F(SymmetryTest, AJoinerJoinsBothFirst) {
  std::vector<Event> later(2);
  for (const unsigned t : {0u, 1u}) {
    later[t].operation.kind = INSPECT_OP_ThreadJoin;
    later[t].operation.object = inspect_thread_object(t + 1);
  }
  explore_one();
  symmetric_pairs({{2, 1, 0}}, {later[0]});
  EXPECT_EQ(cut.before_send(two, {}), Cut::Sending::now);  // never seen to join the other one
  std::vector<Event> between = later;
  between.insert(between.begin() + 1, Event{});
  symmetric_pairs({{2, 1, 0}}, between);
  EXPECT_EQ(cut.before_send(two, {}), Cut::Sending::now);
  between[1].choice.thread = 3;  // another thread may do what it likes
  symmetric_pairs({{2, 1, 0}}, between);
  EXPECT_EQ(cut.before_send(two, {}), Cut::Sending::never);
}

TEST_F(SymmetryTest, AddressesUsedAsNumbersAreBeyondIt) {
  EXPECT_FALSE(cut.is_beyond({}));
  host.told.uses_addresses = true;
  EXPECT_TRUE(cut.is_beyond({}));
}

// Threads that a symmetric thread creates have no names yet that could be swapped.
class CreatingSymmetricThreads : public SymmetryTest {
 protected:
  CreatingSymmetricThreads()
      : SymmetryTest(
            "thread 0: create t1; create t2; create t3; thread 1: store x0 1; create t4; thread 2: store x0 1; create t5;"
            "thread 3: store x4 1; thread 4: store x0 1; thread 5: store x0 1") {}
};

TEST_F(CreatingSymmetricThreads, HaveNoMirrorImages) {
  symmetric_pairs({one_and_two});
  take(1);
  take(1);
  const NodeId last = w.here();
  w.back_to(begin);
  two = w.add_pending(2);
  w.tree().close_finished(last);
  EXPECT_EQ(cut.before_send(two, {}), Cut::Sending::now);
}

}  // namespace
}  // namespace inspect::search
