#include "search/core/path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "walk.hpp"

namespace inspect::search {
namespace {

std::vector<std::uint32_t> conflicts(Walk& w, ThreadId t) {
  std::vector<std::uint32_t> found;
  w.path().for_each_conflict(w.next_label(t), t, [&](std::uint32_t d) {
    found.push_back(d);
    return true;
  });
  return found;
}

constexpr char kWriters[] =
    "thread 0: create t1; create t2; create t3; store8 x0 1;"
    "thread 1: store x0 1; thread 2: store x1 1; thread 3: r0 = load x0";

TEST(Path, CreationAndDependenceOrder) {
  Walk w(kWriters);
  for (int i = 0; i < 4; ++i) w.take(0);  // start, three creations
  EXPECT_TRUE(w.path().happens_before(2, 1));
  EXPECT_FALSE(w.path().happens_before(3, 1));
  w.take(1);
  const std::uint32_t store = w.take(1);
  w.take(3);
  EXPECT_FALSE(w.path().happens_before(store, 3));
  w.take(3);
  EXPECT_TRUE(w.path().happens_before(store, 3));
  EXPECT_FALSE(w.path().happens_before(store, 0));
}

TEST(Path, EveryConflictThatIsNotOrdered) {
  Walk w(kWriters);
  for (int i = 0; i < 4; ++i) w.take(0);
  w.take(1);
  const std::uint32_t low = w.take(1);
  w.take(2);
  const std::uint32_t high = w.take(2);
  auto found = conflicts(w, 0);
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (std::vector<std::uint32_t>{low, high}));
}

TEST(Path, InitialsLeaveOutWhatHappensAfter) {
  Walk w(kWriters);
  for (int i = 0; i < 4; ++i) w.take(0);
  w.take(1);
  const std::uint32_t low = w.take(1);
  w.take(2);
  w.take(2);
  // Behind thread 0's wide store: thread 2 started after `low`, independent of it, and must now come before that store.
  EXPECT_EQ(w.path().initials(low, 0), threads({2}));
}

TEST(Path, PopUndoesPush) {
  Walk w("thread 0: create t1; lock m0; store x0 1; unlock m0; thread 1: lock m0; store x0 2; unlock m0");
  w.take(0);
  w.take(0);
  w.take(0);
  EXPECT_NE(w.path().locks(0), 0u);
  const std::uint32_t depth = w.path().depth();
  const auto before = w.next(0).kind;
  w.take(0);
  w.take(0);
  EXPECT_EQ(w.path().locks(0), 0u);
  w.path().pop();
  w.path().pop();
  EXPECT_EQ(w.path().depth(), depth);
  EXPECT_NE(w.path().locks(0), 0u);
  EXPECT_EQ(w.next(0).kind, before);
  EXPECT_TRUE(conflicts(w, 0).empty());
}

TEST(Path, ManyThreads) {
  Sections sections;
  Path path(Path::Keep::causality, sections);
  std::vector<Event> events(1);
  Event& start = events[0];
  start.operation.kind = INSPECT_OP_ThreadStart;
  for (unsigned t = 1; t < kMaxThreads; ++t) {
    PendingChange c{static_cast<ThreadId>(t), {}};
    c.pending.operation.kind = INSPECT_OP_ThreadStart;
    start.changes.push_back(c);
  }
  path.push(1, start);
  EXPECT_EQ(path.threads(), kMaxThreads);
  EXPECT_TRUE(path.happens_before(1, kMaxThreads - 1));
  path.pop();
  EXPECT_EQ(path.threads(), 1u);
}

}  // namespace
}  // namespace inspect::search
