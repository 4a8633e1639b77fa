#include "process/symbolizer.hpp"

#include <gtest/gtest.h>

#include "subject.hpp"

namespace inspect::process {
namespace {

constexpr unsigned kLineOfAdd = 17;  // in subject.cpp

TEST(Symbolizer, CodeHasItsPlaceInTheSource) {
  const auto places = Symbolizer(test::kSubject).places(test::offset_of("_ZN7subject3addEi"));
  ASSERT_EQ(places.size(), 1u);
  EXPECT_TRUE(places[0].file.ends_with("test/process/subject.cpp")) << places[0].file;
  EXPECT_EQ(places[0].function, "_ZN7subject3addEi");
  EXPECT_EQ(places[0].line, kLineOfAdd);
}

TEST(Symbolizer, WhatIsNotKnownIsAnEmptyAnswer) {
  EXPECT_TRUE(Symbolizer(test::kSubject).places(test::offset_of("_ZN7subject7counterE")).empty());
  EXPECT_TRUE(Symbolizer(test::kSubject).places(~0ull).empty());
  EXPECT_TRUE(Symbolizer("/dev/null").places(0).empty());
  EXPECT_TRUE(Symbolizer(testing::TempDir() + "/missing").places(0).empty());
}

TEST(Symbolizer, ADamagedFileIsNoError) {
  const std::uint64_t add = test::offset_of("_ZN7subject3addEi");
  test::for_each_damaged([&](const std::string& path) { (void)Symbolizer(path).places(add); });
}

}  // namespace
}  // namespace inspect::process
