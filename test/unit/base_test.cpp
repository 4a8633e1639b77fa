#include <gtest/gtest.h>

#include "base/check.hpp"
#include "base/random.hpp"
#include "base/shown.hpp"

namespace inspect {
namespace {

TEST(CheckDeathTest, EndsWithTheStatusOfInternalErrors) {
  const int two = 2;
  CHECK(two == 2);
  EXPECT_EXIT(CHECK(two == 3, "arithmetic"), testing::ExitedWithCode(70),
              "internal error at base_test.cpp:[0-9]+: `two == 3` does not hold: arithmetic\n.*Please report");
}

TEST(Shown, LeavesNothingThatATerminalWouldDo) {
  EXPECT_EQ(shown("a\tb\n"), "a\tb\n");
  EXPECT_EQ(shown_line("a\nb"), "a\\x0ab");
  EXPECT_EQ(shown("\x1b[31m\r\x7f"), "\\x1b[31m\\x0d\\x7f");
  EXPECT_EQ(shown("\xc2\x9b"
                  "1m"),
            "\\xc2\\x9b1m");                            // the same by one character
  EXPECT_EQ(shown("\xe2\x80\xae"), "\\xe2\\x80\\xae");  // right to left from here
  EXPECT_EQ(shown("\xc3\xa4\xe2\x80\xa6"), "\xc3\xa4\xe2\x80\xa6");
  EXPECT_EQ(shown("\xff\xc3"), "\\xff\\xc3");
}

TEST(Random, IsAFunctionOfItsSeed) {
  Random a(7), b(7), c(8);
  EXPECT_EQ(a.next(), b.next());
  EXPECT_NE(a.next(), c.next());
  for (int i = 0; i < 1000; ++i) EXPECT_LT(a.below(3), 3u);
}

}  // namespace
}  // namespace inspect
