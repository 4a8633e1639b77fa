#include "search/causality/reversal.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "walk.hpp"

namespace inspect::search {
namespace {

constexpr std::uint32_t kLater = 0;  // stands for the later operation in an order
using Order = std::vector<std::uint32_t>;

#define WORKERS_2 "thread 0: create t1; create t2;"
#define WORKERS_3 "thread 0: create t1; create t2; create t3;"

// What comes behind state d-1 in the other order: transitions as depths.
Order order_of(const Reversal& r, const Path& path, std::uint32_t d) {
  Order order;
  for (std::uint32_t k = d + 1; k <= path.depth(); ++k)
    if (r.contains(k) && r.precedes(k)) order.push_back(k);
  order.push_back(kLater);
  for (std::uint32_t k = d + 1; k <= path.depth(); ++k)
    if (r.contains(k) && !r.precedes(k)) order.push_back(k);
  return order;
}

// The transition at depth j before the one at depth d; nothing if it cannot come first.
std::optional<Order> reversed(Walk& w, Reversal& r, std::uint32_t d, std::uint32_t j) {
  const Path& p = w.path();
  if (!r.compute(p, d, j, p.thread(j), p.operation(j), p.event(j).choice.alternative)) return std::nullopt;
  Order order = order_of(r, p, d);
  std::erase(order, j);
  return order;
}

// What t waits for where the path ends.
std::optional<Order> reversed_waiting(Walk& w, Reversal& r, std::uint32_t d, ThreadId t) {
  if (!r.compute(w.path(), d, w.depth() + 1, t, w.next(t), kAnyAlternative)) return std::nullopt;
  return order_of(r, w.path(), d);
}

// Thread 1's second store happens after its first, so it goes with it; thread 3's has nothing to do with either.
TEST(Reversal, WhatHappensAfterTheEarlierOneIsLeftOut) {
  Walk w(WORKERS_3 "thread 1: store x0 1; store x1 1; thread 2: store x0 2; thread 3: store x2 1");
  w.start(3);
  const std::uint32_t earlier = w.take(1);
  w.take(1);
  const std::uint32_t other = w.take(3), later = w.take(2);
  Reversal r;
  EXPECT_EQ(reversed(w, r, earlier, later), (Order{kLater, other}));
  EXPECT_EQ(r.choice, (Choice{2, 0}));
  EXPECT_TRUE(r.exact);
}

// Thread 2 reads what thread 3 stored, and stores to x0 then: both come before, in their order.
TEST(Reversal, WhatTheLaterOneNeedsStaysBeforeIt) {
  Walk w(WORKERS_3 "thread 1: store x0 1; thread 2: r0 = load x2; store x0 2; thread 3: store x2 1; store x1 1");
  w.start(3);
  const std::uint32_t earlier = w.take(1), needed = w.take(3), beside = w.take(3), load = w.take(2), later = w.take(2);
  Reversal r;
  EXPECT_EQ(reversed(w, r, earlier, later), (Order{needed, load, kLater, beside}));
}

// Before the lock the mutex is free. A time-out is an alternative of its own: success is the first.
TEST(Reversal, AnAttemptThatFailedSucceedsBeforeTheLock) {
  for (const bool timed : {false, true}) {
    Walk w(timed ? WORKERS_2 "thread 1: lock m0; unlock m0; thread 2: r0 = timedlock m0"
                 : WORKERS_2 "thread 1: lock m0; unlock m0; thread 2: r0 = trylock m0");
    w.start(2);
    const std::uint32_t lock = w.take(1), attempt = w.take(2, timed ? 1 : 0);
    ASSERT_TRUE(failed(w.path().operation(attempt)));
    Reversal r;
    EXPECT_EQ(reversed(w, r, lock, attempt), (Order{kLater}));
    EXPECT_FALSE(failed(r.operation));
    EXPECT_EQ(r.choice, (Choice{2, 0}));
    EXPECT_TRUE(r.exact);
  }
}

// Before the unlock the mutex is held, so an attempt fails there; one with a time limit by its other alternative.
TEST(Reversal, AnAttemptThatSucceededFailsBeforeTheUnlock) {
  for (const bool timed : {false, true}) {
    Walk w(timed ? WORKERS_2 "thread 1: lock m0; unlock m0; thread 2: r0 = timedlock m0"
                 : WORKERS_2 "thread 1: lock m0; unlock m0; thread 2: r0 = trylock m0");
    w.start(2);
    w.take(1);
    const std::uint32_t unlock = w.take(1), attempt = w.take(2);
    Reversal r;
    EXPECT_EQ(reversed(w, r, unlock, attempt), (Order{kLater}));
    EXPECT_TRUE(failed(r.operation));
    EXPECT_EQ(r.choice.alternative, timed ? 1 : 0);
  }
}

// Before thread 1's lock the mutex was taken, given back by a wait in spite of a failed attempt, and taken and given back
// again.
TEST(Reversal, AMutexThatWasGivenBackIsFree) {
  Walk w(
      "thread 0: create t1; create t2; create t3; create t4; thread 1: lock m0; thread 2: r0 = trylock m0;"
      "thread 3: r0 = trylock m0; thread 4: lock m0; wait c0 m0");
  w.start(4);
  w.take(4);
  w.take(3);  // fails
  w.take(4);
  const std::uint32_t lock = w.take(1), attempt = w.take(2);
  Reversal r;
  EXPECT_EQ(reversed(w, r, lock, attempt), (Order{kLater}));
  EXPECT_FALSE(failed(r.operation));

  Walk twice(WORKERS_3 "thread 1: lock m0; thread 2: r0 = trylock m0; thread 3: lock m0; unlock m0");
  twice.start(3);
  twice.take(3);
  twice.take(3);
  const std::uint32_t second = twice.take(1), late = twice.take(2);
  EXPECT_EQ(reversed(twice, r, second, late), (Order{kLater}));
  EXPECT_FALSE(failed(r.operation));
}

// Before the writer's unlock a reader is kept out, before the reader's a writer.
TEST(Reversal, ReadersAndWritersKeepEachOtherOut) {
  for (const bool writes : {false, true}) {
    Walk w(writes ? WORKERS_2 "thread 1: wrlock l0; rwunlock l0; thread 2: r0 = tryrdlock l0"
                  : WORKERS_2 "thread 1: rdlock l0; rwunlock l0; thread 2: r0 = trywrlock l0");
    w.start(2);
    w.take(1);
    const std::uint32_t unlock = w.take(1), attempt = w.take(2);
    ASSERT_FALSE(failed(w.path().operation(attempt)));
    Reversal r;
    EXPECT_EQ(reversed(w, r, unlock, attempt), (Order{kLater}));
    EXPECT_TRUE(failed(r.operation));
  }
}

// Thread 3's lock waits while thread 2 has the mutex, and had it before the failed attempt already.
TEST(Reversal, ALockCannotComeFirstWhereTheMutexIsHeld) {
  Walk w(WORKERS_3 "thread 1: r0 = trylock m0; thread 2: lock m0; unlock m0; thread 3: lock m0");
  w.start(3);
  w.take(2);
  const std::uint32_t attempt = w.take(1);
  w.take(2);
  const std::uint32_t lock = w.take(3);
  Reversal r;
  EXPECT_EQ(reversed(w, r, attempt, lock), std::nullopt);
}

// A writer waits for two readers. Before the first of them it comes only if the second, which is not after the first, goes too.
TEST(Reversal, WhatKeepsTheLaterOneOutIsTakenAway) {
  Walk w(WORKERS_3 "thread 1: rdlock l0; thread 2: rdlock l0; store x0 1; thread 3: wrlock l0");
  w.start(3);
  const std::uint32_t first = w.take(1), second = w.take(2);
  w.take(2);  // goes with the second
  Reversal r;
  EXPECT_EQ(reversed_waiting(w, r, first, 3), (Order{kLater}));
  EXPECT_EQ(reversed_waiting(w, r, second, 3), std::nullopt);  // the first reader was there before
}

// Thread 1 has the lock for writing and asks for reading: it is told so in every order, whatever arrives.
TEST(Reversal, WhoHoldsALockItselfIsToldSo) {
  Walk w("writers 1;" WORKERS_2 "thread 1: wrlock l0; r0 = timedrdlock l0; thread 2: r0 = timedwrlock l0");
  w.start(2);
  w.take(1);
  w.take(1);
  const std::uint32_t arrival = w.take(2);
  ASSERT_EQ(w.path().operation(arrival).kind, INSPECT_OP_WriteArrive);
  const std::uint32_t read = w.take(1);
  ASSERT_TRUE(failed(w.path().operation(read)));
  Reversal r;
  EXPECT_EQ(reversed(w, r, arrival, read), (Order{kLater}));
  EXPECT_TRUE(failed(r.operation));
  EXPECT_EQ(r.choice, (Choice{1, 0}));  // it does not wait for a time-out
}

// One post, one wait: without the post there is nothing to take. With one at the begin there is.
TEST(Reversal, ASemaphoreIsCounted) {
  for (const bool open : {false, true}) {
    Walk w(open ? "semaphores 1 0;" WORKERS_2 "thread 1: post s0; thread 2: semwait s0"
                : "semaphores 0 0;" WORKERS_2 "thread 1: post s0; thread 2: semwait s0");
    w.start(2);
    const std::uint32_t post = w.take(1), wait = w.take(2);
    Reversal r;
    EXPECT_EQ(reversed(w, r, post, wait), open ? std::optional(Order{kLater}) : std::nullopt);
  }
}

// Before thread 2 waits the signal wakes nobody, or thread 3 if that waits already.
TEST(Reversal, ASignalWakesWhoWaitsThere) {
  for (const bool third : {false, true}) {
    Walk w(WORKERS_3 "thread 1: signal c0; thread 2: lock m0; wait c0 m0; thread 3: lock m0; wait c0 m0");
    w.start(3);
    if (third) w.take(3);
    if (third) w.take(3);
    w.take(2);
    const std::uint32_t wait = w.take(2), signal = w.take(1, 3);  // wakes thread 2
    Reversal r;
    EXPECT_EQ(reversed(w, r, wait, signal), (Order{kLater}));
    EXPECT_EQ(r.choice, (Choice{1, static_cast<std::uint16_t>(third ? 4 : 0)}));
  }
}

// Thread 2 takes its mutex back after the signal. Before thread 1's lock it can do so only if the signal is there without it.
TEST(Reversal, AWaitEndsOnlyWithItsSignal) {
  Walk inside(WORKERS_2 "thread 1: lock m0; signal c0; unlock m0; thread 2: lock m0; wait c0 m0");
  inside.start(2);
  inside.take(2);
  inside.take(2);
  const std::uint32_t lock = inside.take(1);
  inside.take(1, 3);
  inside.take(1);
  Reversal r;
  EXPECT_EQ(reversed(inside, r, lock, inside.take(2)), std::nullopt);

  Walk outside(WORKERS_3 "thread 1: lock m0; unlock m0; thread 2: lock m0; wait c0 m0; thread 3: signal c0");
  outside.start(3);
  outside.take(2);
  outside.take(2);
  const std::uint32_t other = outside.take(1), signal = outside.take(3, 3);
  outside.take(1);
  EXPECT_EQ(reversed(outside, r, other, outside.take(2)), (Order{signal, kLater}));
}

// It finds what the store found: 0, which it expects, or 1.
TEST(Reversal, ACompareExchangeFindsWhatWasThereBefore) {
  Walk w(WORKERS_2 "thread 1: store x0 1; thread 2: r0 = cas x0 0 2");
  w.start(2);
  const std::uint32_t store = w.take(1), exchange = w.take(2);
  ASSERT_TRUE(failed(w.path().operation(exchange)));
  Reversal r;
  EXPECT_EQ(reversed(w, r, store, exchange), (Order{kLater}));
  EXPECT_TRUE(r.exact && r.foretold);
  EXPECT_FALSE(failed(r.operation));
  EXPECT_TRUE(Reversal::places(w.path().operation(exchange)));

  Walk other(WORKERS_2 "thread 1: store x0 1; thread 2: r0 = cas x0 1 2");
  other.start(2);
  const std::uint32_t again = other.take(1), succeeds = other.take(2);
  ASSERT_FALSE(failed(other.path().operation(succeeds)));
  EXPECT_EQ(reversed(other, r, again, succeeds), (Order{kLater}));
  EXPECT_TRUE(r.exact && failed(r.operation));
}

// Thread 1 reads before it stores what thread 2 expects. Before the load there is no such store.
TEST(Reversal, ACompareExchangeBeforeALoadLosesTheStoresBehindIt) {
  Walk w(WORKERS_2 "thread 1: r0 = load x0; store x0 1; thread 2: r0 = cas x0 1 2");
  w.start(2);
  const std::uint32_t load = w.take(1);
  w.take(1);
  const std::uint32_t exchange = w.take(2);
  ASSERT_FALSE(failed(w.path().operation(exchange)));
  Reversal r;
  EXPECT_EQ(reversed(w, r, load, exchange), (Order{kLater}));
  EXPECT_TRUE(r.exact && failed(r.operation));
}

// The load is no store: what comes before it decides, as it did.
TEST(Reversal, ACompareExchangeBeforeALoadComesOutAsItDid) {
  Walk w(WORKERS_3 "thread 1: store x0 1; thread 2: r0 = cas x0 1 2; thread 3: r0 = load x0");
  w.start(3);
  w.take(1);
  const std::uint32_t load = w.take(3), exchange = w.take(2);
  Reversal r;
  EXPECT_EQ(reversed(w, r, load, exchange), (Order{kLater}));
  EXPECT_TRUE(r.exact && !failed(r.operation));
}

// Two additions whose results nobody uses commute: without one of them the other is still there, and the event of neither says
// what is found then. Nor does a store of twice the size.
TEST(Reversal, ACompareExchangeIsNotForetoldWhereNoEventSaysWhatItFinds) {
  Walk w(WORKERS_3 "thread 1: add x0 1; thread 2: r0 = cas x0 2 0; thread 3: add x0 1");
  w.start(3);
  const std::uint32_t first = w.take(1);
  w.take(3);
  const std::uint32_t exchange = w.take(2);
  Reversal r;
  reversed(w, r, first, exchange);
  EXPECT_FALSE(r.foretold);

  Walk wide(WORKERS_2 "thread 1: store8 x0 1; thread 2: r0 = cas x0 1 0");
  wide.start(2);
  const std::uint32_t store = wide.take(1);
  reversed(wide, r, store, wide.take(2));
  EXPECT_FALSE(r.foretold);
}

// Of two that wait the signal wakes the other one. Thread 1's store is after it, thread 3's wait is not.
TEST(Reversal, AnotherAlternativeInTheSamePlace) {
  Walk w(WORKERS_3 "thread 1: signal c0; store x0 1; thread 2: lock m0; wait c0 m0; thread 3: lock m0; wait c0 m0; store x1 1");
  w.start(3);
  for (const ThreadId t : {2, 3}) {
    w.take(t);
    w.take(t);
  }
  const std::uint32_t signal = w.take(1, 3);
  w.take(1);
  Reversal r;
  r.compute_other(w.path(), signal, 4);
  EXPECT_EQ(order_of(r, w.path(), signal), (Order{kLater}));
  EXPECT_EQ(r.choice, (Choice{1, 4}));
  EXPECT_TRUE(r.exact);
  EXPECT_EQ(r.operation.kind, INSPECT_OP_CondSignal);
}

}  // namespace
}  // namespace inspect::search
