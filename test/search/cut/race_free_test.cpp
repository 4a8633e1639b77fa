#include "search/cut/race_free.hpp"

#include <gtest/gtest.h>

#include "fake_host.hpp"
#include "observed.hpp"

namespace inspect::search {
namespace {

#define WORKERS "thread 0: create t1; create t2;"

// An execution whose races ask for thread 2 in some states.
struct Asked {
  explicit Asked(const char* text) : observed(text) {
    host.told.known_code = &observed.code;
    cut.begin();
  }
  void ask(std::uint32_t state) { host.found.list.push_back({.state = state, .thread = 2, .first = threads({2})}); }
  Pruning end(EndKind end = EndKind::complete) {
    Execution e;
    e.end = end;
    cut.after_execution(e);
    Outcome o;
    cut.report(o);
    return *o.pruning;
  }

  Observed observed;
  FakeHost host{observed.walk};
  RaceFreeSubspaces cut{host};
};

constexpr char kLocked[] = WORKERS "thread 1: lock m0; write x0 1; unlock m0; thread 2: lock m0; write x0 2; unlock m0";

// All is protected, so thread 2 need not come first; what can happen is reversed with what leads to that state instead.
TEST(RaceFree, WhatIsFreeOfRacesIsNotExplored) {
  Asked a(kLocked);
  const std::uint32_t state = a.observed.depth_of(1, INSPECT_OP_MutexLock) - 1;
  a.ask(state);
  const Pruning p = a.end();
  EXPECT_EQ(p.checks, 1u);
  EXPECT_EQ(p.successes, 1u);
  EXPECT_TRUE(p.limits.empty());
  EXPECT_TRUE(a.host.found.list.empty());
  EXPECT_EQ(a.observed.walk.depth(), state);
  EXPECT_FALSE(a.host.behind.empty());
}

TEST(RaceFree, WhereARaceMayFollowAllIsExplored) {
  Asked a(WORKERS "thread 1: lock m0; unlock m0; write x0 1; thread 2: lock m0; unlock m0; write x0 2");
  const std::uint32_t depth = a.observed.walk.depth();
  a.ask(a.observed.depth_of(1, INSPECT_OP_MutexLock) - 1);
  const Pruning p = a.end();
  EXPECT_EQ(p.checks, 1u);
  EXPECT_EQ(p.successes, 0u);
  EXPECT_EQ(p.limits, (std::map<std::string, std::uint64_t>{{"two accesses that no lock excludes", 1}}));
  EXPECT_EQ(a.host.found.list.size(), 1u);
  EXPECT_EQ(a.observed.walk.depth(), depth);
}

// Before thread 1's read of x0 another value may come; behind it nothing is wrong any more. Only the later one is left out.
TEST(RaceFree, TheLaterOfTwoMayBeFreeAlone) {
  Asked a(WORKERS
          "thread 1: lock m0; r0 = read x0; unlock m0; if r0 == 0 goto 5; write x2 1;"
          "thread 2: lock m0; write x0 1; unlock m0; write x2 2");
  const std::uint32_t lock = a.observed.depth_of(1, INSPECT_OP_MutexLock);
  a.ask(lock - 1);
  a.ask(lock);
  const Pruning p = a.end();
  EXPECT_EQ(p.checks, 2u);
  EXPECT_EQ(p.successes, 1u);
  ASSERT_EQ(a.host.found.list.size(), 1u);
  EXPECT_EQ(a.host.found.list[0].state, lock - 1);
  EXPECT_EQ(a.observed.walk.depth(), lock);
}

TEST(RaceFree, WhatIsScheduledAlreadyIsNoQuestion) {
  Asked a(kLocked);
  const std::uint32_t state = a.observed.depth_of(1, INSPECT_OP_MutexLock) - 1;
  a.ask(state);
  a.observed.walk.tree()[a.observed.walk.path().node(state)].backtrack = threads({2});
  EXPECT_EQ(a.end().checks, 0u);
  EXPECT_EQ(a.host.found.list.size(), 1u);
}

// Of an execution that was cut not all is known.
TEST(RaceFree, OnlyCompleteExecutionsAreLookedAt) {
  Asked a(kLocked);
  a.ask(a.observed.depth_of(1, INSPECT_OP_MutexLock) - 1);
  EXPECT_EQ(a.end(EndKind::redundant).checks, 0u);
  EXPECT_EQ(a.host.found.list.size(), 1u);
}

// Where the program as a whole stands against it, accesses are not even logged from then on.
TEST(RaceFree, AnObstacleLeavesNothingFree) {
  Asked a(kLocked);
  a.observed.code.obstacle = "code that nobody knows";
  Request request;
  a.cut.prepare(request);
  EXPECT_TRUE(request.accesses);
  a.ask(a.observed.depth_of(1, INSPECT_OP_MutexLock) - 1);
  EXPECT_EQ(a.end().limits, (std::map<std::string, std::uint64_t>{{"code that nobody knows", 1}}));
  EXPECT_EQ(a.host.found.list.size(), 1u);
  a.cut.prepare(request);
  EXPECT_FALSE(request.accesses);
}

}  // namespace
}  // namespace inspect::search
