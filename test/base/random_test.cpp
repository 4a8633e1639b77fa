#include "base/random.hpp"

#include <gtest/gtest.h>

namespace inspect {
namespace {

TEST(Random, IsAFunctionOfItsSeed) {
  Random a(7), b(7), c(8);
  EXPECT_EQ(a.next(), b.next());
  EXPECT_NE(a.next(), c.next());
  for (int i = 0; i < 1000; ++i) EXPECT_LT(a.below(3), 3u);
}

}  // namespace
}  // namespace inspect
