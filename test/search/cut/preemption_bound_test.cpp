#include "search/cut/preemption_bound.hpp"

#include <gtest/gtest.h>

#include "fake_host.hpp"

namespace inspect::search {
namespace {

class Bound : public testing::Test {
 protected:
  Bound() {
    cut.begin();
    for (const ThreadId t : {0, 0, 0}) arrive(t);  // main starts and creates both; then it waits
  }
  // Takes a transition and returns how many preemptions the way there has.
  std::uint32_t arrive(ThreadId t) {
    w.take(t);
    EXPECT_EQ(cut.on_arrival({}, 0, {}), Cut::Arrival::goes_on);
    return w.tree()[w.here()].preemptions;
  }
  bool left_out() {
    Outcome o;
    cut.report(o);
    return !o.left_out.empty();
  }

  Walk w{
      "thread 0: create t1; create t2; join t1; join t2;"
      "thread 1: store x0 1; store x1 1; thread 2: store x2 1; store x3 1"};
  FakeHost host{w};
  PreemptionBound cut{host, 1};
};

TEST_F(Bound, CountsSwitchesFromEnabledThreads) {
  EXPECT_EQ(arrive(1), 0u);  // main waits
  EXPECT_EQ(arrive(1), 0u);
  EXPECT_EQ(arrive(2), 1u);
  EXPECT_EQ(arrive(2), 1u);
  EXPECT_EQ(arrive(1), 2u);
}

TEST_F(Bound, AllowsWhatIsWithinIt) {
  arrive(1);
  arrive(1);
  const std::uint32_t first = w.depth();
  arrive(2);
  const std::uint32_t second = w.depth();
  EXPECT_TRUE(cut.allows(first, 2));
  EXPECT_TRUE(cut.allows(second, 2));
  EXPECT_FALSE(left_out());
  EXPECT_FALSE(cut.allows(second, 1));
  EXPECT_TRUE(left_out());
  cut.begin();
  EXPECT_FALSE(left_out());
}

// Others may have to move before the block in which the bug was, where that costs no preemption.
TEST_F(Bound, BehindABugAllIsExploredWhereTheBlockBegins) {
  arrive(1);
  const std::uint32_t begin = w.depth() - 1;
  arrive(1);
  cut.on_unknown_end(false);
  EXPECT_TRUE(host.all_at.empty());
  cut.on_unknown_end(true);
  EXPECT_EQ(host.all_at, std::vector{begin});
}

TEST_F(Bound, ThreadsStayWhereTheyAre) {
  Request request;
  cut.prepare(request);
  EXPECT_EQ(request.policy, INSPECT_POLICY_STAY);
}

}  // namespace
}  // namespace inspect::search
