#include <gtest/gtest.h>

#include "base/check.hpp"
#include "base/random.hpp"

namespace inspect {
namespace {

TEST(CheckDeathTest, EndsWithTheStatusOfInternalErrors) {
  const int two = 2;
  CHECK(two == 2);
  EXPECT_EXIT(CHECK(two == 3, "arithmetic"), testing::ExitedWithCode(70),
              "internal error at base_test.cpp:[0-9]+: `two == 3` does not hold: arithmetic\n.*Please report");
}

TEST(Random, IsAFunctionOfItsSeed) {
  Random a(7), b(7), c(8);
  EXPECT_EQ(a.next(), b.next());
  EXPECT_NE(a.next(), c.next());
  for (int i = 0; i < 1000; ++i) EXPECT_LT(a.below(3), 3u);
}

}  // namespace
}  // namespace inspect
