#include "report/place.hpp"

#include <gtest/gtest.h>

namespace inspect::report {
namespace {

TEST(Place, HasFileLineAndColumn) {
  const Place p = parse_place("a.c:3:5");
  EXPECT_EQ(p.file, "a.c");
  EXPECT_EQ(p.line, 3u);
  EXPECT_EQ(p.column, 5u);
}

TEST(Place, MayLackTheColumn) {
  const Place p = parse_place("a.c:3");
  EXPECT_EQ(p.file, "a.c");
  EXPECT_EQ(p.line, 3u);
  EXPECT_EQ(p.column, 0u);
}

TEST(Place, AFilesNameMayHoldColons) {
  const Place p = parse_place("std::x,err:or.cpp:8:15");
  EXPECT_EQ(p.file, "std::x,err:or.cpp");
  EXPECT_EQ(p.line, 8u);
  EXPECT_EQ(p.column, 15u);
}

TEST(Place, MayBeUnknown) {
  EXPECT_EQ(parse_place("?").line, 0u);
  EXPECT_EQ(parse_place("a.c:0").line, 0u);
  EXPECT_EQ(parse_place("a.c:").file, "a.c:");
  EXPECT_EQ(parse_place("a.c:7x").line, 0u);
  EXPECT_EQ(parse_place("").file, "");
}

}  // namespace
}  // namespace inspect::report
