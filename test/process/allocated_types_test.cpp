#include "process/allocated_types.hpp"

#include <gtest/gtest.h>

#include "subject.hpp"

namespace inspect::process {
namespace {

Place call(const std::string& function, unsigned line, unsigned column) {
  Place place;
  place.function = function;
  place.line = line;
  place.column = column;
  return place;
}

TEST(AllocatedTypes, ARowSaysWhatACallIsFor) {
  const AllocatedRows rows(test::kSubject);
  EXPECT_EQ(rows.at(call("one", 3, 5)), (AllocatedRow{.name = "Node", .line = 7, .size = 16, .begin = 8, .many = true}));
  EXPECT_EQ(rows.at(call("one", 3, 6)), std::nullopt);
  EXPECT_EQ(rows.at(call("one", 4, 5)), std::nullopt);
  EXPECT_EQ(rows.at(call("none", 3, 5)), std::nullopt);
}

// A function that is in several object files has its rows several times.
TEST(AllocatedTypes, TheSameRowTwiceIsOne) {
  EXPECT_EQ(AllocatedRows(test::kSubject).at(call("two", 4, 5)), (AllocatedRow{.name = "Node", .line = 7, .size = 16}));
}

TEST(AllocatedTypes, RowsThatContradictEachOtherAreNone) {
  EXPECT_EQ(AllocatedRows(test::kSubject).at(call("other", 4, 5)), std::nullopt);
}

TEST(AllocatedTypes, DamagedRowsAreNone) {
  const AllocatedRows rows(test::kSubject);
  for (const char* const function : {"short", "word", "rest"})
    EXPECT_EQ(rows.at(call(function, 4, 5)), std::nullopt) << function;
  test::for_each_damaged([](const std::string& path) { (void)AllocatedRows(path).at(call("one", 3, 5)); });
}

}  // namespace
}  // namespace inspect::process
