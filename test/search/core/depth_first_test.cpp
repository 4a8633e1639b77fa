#include "search/core/depth_first.hpp"

#include <gtest/gtest.h>

namespace inspect::search {
namespace {

TEST(DepthFirst, TakesTheDeepestAndEachOnce) {
  DepthFirst order;
  EXPECT_TRUE(order.empty());
  EXPECT_FALSE(order.take());
  order.add(1, 3);
  order.add(2, 5);
  order.add(3, 4);
  EXPECT_EQ(order.take(), NodeId{2});
  order.add(4, 9);
  EXPECT_EQ(order.take(), NodeId{4});
  EXPECT_EQ(order.take(), NodeId{3});
  EXPECT_EQ(order.take(), NodeId{1});
  EXPECT_TRUE(order.empty());
}

}  // namespace
}  // namespace inspect::search
