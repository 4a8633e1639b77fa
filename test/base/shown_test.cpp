#include "base/shown.hpp"

#include <gtest/gtest.h>

namespace inspect {
namespace {

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

}  // namespace
}  // namespace inspect
