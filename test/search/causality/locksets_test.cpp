#include "search/causality/locksets.hpp"

#include <gtest/gtest.h>

namespace inspect::search {
namespace {

TEST(Locksets, EqualSetsHaveOneNumber) {
  Locksets l;
  const auto both = l.with(l.with(0, 200, true), 100, false);
  EXPECT_EQ(both, l.with(l.with(0, 100, false), 200, true));
  EXPECT_EQ(l.with(both, 100, false), both);
  EXPECT_EQ(l.set(l.with(both, 100, true)), (Locksets::Set{{100, true}, {200, true}}));
  EXPECT_EQ(l.without(both, 0, 1000), 0u);
  EXPECT_EQ(l.set(l.without(both, 101, 201)), (Locksets::Set{{100, false}}));
}

TEST(Locksets, WhatIsCommonIsHeldByBoth) {
  Locksets l;
  const auto reads = l.with(0, 100, false), writes = l.with(0, 100, true);
  EXPECT_EQ(l.common(reads, writes), reads);
  EXPECT_EQ(l.common(writes, l.with(0, 200, true)), 0u);
  EXPECT_EQ(l.common(writes, l.with(writes, 200, true)), writes);
}

TEST(Locksets, ReadersDoNotExcludeEachOther) {
  Locksets l;
  const auto reads = l.with(0, 100, false), writes = l.with(0, 100, true);
  EXPECT_FALSE(l.exclude(reads, reads));
  EXPECT_TRUE(l.exclude(reads, writes));
  EXPECT_TRUE(l.exclude(writes, reads));
  EXPECT_TRUE(l.exclude(writes, writes));
  EXPECT_FALSE(l.exclude(writes, l.with(0, 200, true)));
  EXPECT_FALSE(l.exclude(0, writes));
}

}  // namespace
}  // namespace inspect::search
