#include "search/causality/access_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace inspect::search {
namespace {

using RangeId = AccessIndex::RangeId;

std::vector<RangeId> sorted(std::vector<RangeId> v) {
  std::sort(v.begin(), v.end());
  return v;
}

TEST(AccessIndex, RangesOverlapBothWays) {
  AccessIndex index;
  const RangeId low = index.range(100, 4), high = index.range(104, 4), wide = index.range(100, 8), far = index.range(200, 4);
  EXPECT_EQ(index.range(104, 4), high);
  EXPECT_EQ(sorted(index.overlapping(low)), sorted({low, wide}));
  EXPECT_EQ(sorted(index.overlapping(wide)), sorted({low, high, wide}));
  EXPECT_EQ(index.overlapping(far), std::vector<RangeId>{far});
}

TEST(AccessIndex, KeepsItsNumbersWhenItGrows) {
  AccessIndex index;
  std::vector<RangeId> ids;
  for (std::uint64_t i = 0; i < 2000; ++i) ids.push_back(index.range(64 * i, 8));
  for (std::uint64_t i = 0; i < 2000; ++i) EXPECT_EQ(index.range(64 * i, 8), ids[i]);
}

}  // namespace
}  // namespace inspect::search
