#include "search/cut/known_states.hpp"

#include <gtest/gtest.h>

#include "fake_host.hpp"

namespace inspect::search {
namespace {

constexpr StateId kState{7, 1}, kOther{8, 1};

// Threads 1 and 2 write x0, thread 3 waits for a mutex that main holds.
class KnownStatesTest : public testing::Test {
 protected:
  KnownStatesTest()
      : w("thread 0: create t1; create t2; create t3; lock m0; unlock m0; thread 1: r0 = load x3; write x0 1;"
          "thread 2: r0 = load x3; write x0 1; thread 3: lock m0; unlock m0") {
    w.start(3);
    w.take(0);
    begin = w.depth();
    cut.begin();
    w.add_pending(0);
  }

  // The last transition of the path led to that state.
  Cut::Arrival arrive(StateId state) {
    Execution e;
    e.states = {state};
    return cut.on_arrival(e, 0, {});
  }

  Walk w;
  FakeHost host{w};
  KnownStates cut{host, true};
  std::uint32_t begin = 0;
};

// What can happen behind a known state is reversed with what leads there; what thread 3 waits to do is part of that.
TEST_F(KnownStatesTest, WhatCanHappenBehindACutIsReversed) {
  w.take(1);
  EXPECT_EQ(arrive({}), Cut::Arrival::goes_on);
  w.take(2);
  EXPECT_EQ(arrive(kState), Cut::Arrival::goes_on);
  w.tree().close_finished(w.here());
  w.back_to(begin);
  w.take(2);
  arrive({});
  w.take(1);
  EXPECT_EQ(arrive(kState), Cut::Arrival::covered);
  ASSERT_EQ(host.behind.size(), 1u);
  EXPECT_EQ(host.behind[0].thread, 3);
  EXPECT_EQ(host.behind[0].operation.kind, INSPECT_OP_MutexLock);
}

TEST_F(KnownStatesTest, ACycleIsBeyondIt) {
  w.take(1);
  arrive(kState);
  w.take(2);
  EXPECT_EQ(arrive(kState), Cut::Arrival::beyond);
}

// Both writes of x0 can come next: a race of this state, to be shown in both orders though it may be known otherwise.
TEST_F(KnownStatesTest, PlainAccessesThatMeetAreShown) {
  w.take(1);
  arrive({});
  EXPECT_TRUE(host.asked.empty());  // thread 2 has yet to load
  w.take(2);
  arrive({});
  using Asked = std::vector<std::pair<std::uint32_t, ThreadId>>;
  EXPECT_EQ(host.asked, (Asked{{w.depth(), 1}, {w.depth(), 2}, {w.depth(), 2}, {w.depth(), 1}}));
}

TEST(KnownStates, ReadsAndAtomicsMeetWithoutHarm) {
  for (const char* text : {"thread 0: create t1; create t2; thread 1: r0 = read x0; thread 2: r0 = read x0",
                           "thread 0: create t1; create t2; thread 1: store x0 1; thread 2: store x0 1"}) {
    Walk w(text);
    FakeHost host(w);
    KnownStates cut(host, true);
    cut.begin();
    w.start(2);
    cut.on_arrival({}, 0, {});
    EXPECT_TRUE(host.asked.empty()) << text;
  }
}

// Where nothing is to be cut a state that was met is not even looked at.
TEST_F(KnownStatesTest, WithoutCuttingNothingIsKnown) {
  KnownStates mirror(host, false);
  mirror.begin();
  Execution e;
  e.states = {kState};
  w.take(1);
  mirror.on_arrival(e, 0, {});
  w.tree().close_finished(w.here());
  w.back_to(begin);
  w.take(2);
  EXPECT_EQ(mirror.on_arrival(e, 0, {}), Cut::Arrival::goes_on);
}

TEST_F(KnownStatesTest, LoopsThatWaitAreBeyondIt) {
  Execution e;
  EXPECT_FALSE(cut.is_beyond(e));
  e.events.resize(1);
  EXPECT_FALSE(cut.is_beyond(e));
  e.events[0].next.operation.kind = INSPECT_OP_SpinWait;
  EXPECT_TRUE(cut.is_beyond(e));
  e.events[0].next = {};
  e.events[0].changes.emplace_back();
  EXPECT_FALSE(cut.is_beyond(e));
  e.events[0].changes[0].pending.operation.kind = INSPECT_OP_SpinWait;
  EXPECT_TRUE(cut.is_beyond(e));
  Execution spinning;
  spinning.end = EndKind::spinning;
  EXPECT_TRUE(cut.is_beyond(spinning));
}

TEST_F(KnownStatesTest, StatesAreCountedAndLimited) {
  host.chosen.max_states = 1;
  w.take(1);
  arrive(kState);
  EXPECT_FALSE(cut.must_stop());
  w.take(2);
  arrive(kOther);
  EXPECT_EQ(cut.must_stop(), "more than 1 states");
  Outcome o;
  cut.report(o);
  EXPECT_EQ(o.states, 2u);
}

// Below the end of such an execution more could happen: no state on the way to it becomes known.
TEST_F(KnownStatesTest, AnUnknownEndSpoilsTheWay) {
  w.take(1);
  arrive(kState);
  cut.on_unknown_end(true);
  w.tree().close_finished(w.here());
  w.back_to(begin);
  w.take(2);
  EXPECT_EQ(arrive(kState), Cut::Arrival::goes_on);
}

TEST_F(KnownStatesTest, AsksTheProgramForStates) {
  Request request;
  cut.prepare(request);
  EXPECT_TRUE(request.states && request.starts_first);
}

}  // namespace
}  // namespace inspect::search
