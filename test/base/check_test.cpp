#include "base/check.hpp"

#include <gtest/gtest.h>

namespace inspect {
namespace {

TEST(CheckDeathTest, EndsWithTheStatusOfInternalErrors) {
  const int two = 2;
  CHECK(two == 2);
  EXPECT_EXIT(CHECK(two == 3, "arithmetic"), testing::ExitedWithCode(70),
              "internal error at check_test.cpp:[0-9]+: `two == 3` does not hold: arithmetic\n.*Please report");
}

}  // namespace
}  // namespace inspect
