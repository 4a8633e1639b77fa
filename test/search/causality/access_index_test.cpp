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

// `first` leads back over what the same thread did in a row: a search for others goes on before it. Behind a barrier a new row
// begins, since that hides what is older.
TEST(AccessIndex, EntriesKnowWhereTheirRowBegins) {
  AccessIndex index;
  const RangeId r = index.range(100, 4);
  index.push(r, {.depth = 1, .barrier = false}, 1);
  index.push(r, {.depth = 2, .barrier = false}, 1);
  index.push(r, {.depth = 3, .barrier = true}, 1);
  index.push(r, {.depth = 4, .barrier = false}, 1);
  index.push(r, {.depth = 5, .barrier = false}, 2);
  std::vector<std::uint32_t> first, depths;
  for (const AccessIndex::Entry& e : index.entries(r)) {
    first.push_back(e.first);
    depths.push_back(e.depth);
  }
  EXPECT_EQ(depths, (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(first, (std::vector<std::uint32_t>{0, 0, 0, 3, 4}));
  EXPECT_TRUE(index.threads(r).contains(1) && index.threads(r).contains(2) && !index.threads(r).contains(3));
  index.pop(r);
  EXPECT_EQ(index.entries(r).back().depth, 4u);
  EXPECT_EQ(index.entries(r).back().thread, 1u);
}

// Bytes 100 to 103 and 104 to 107 touch; 103 to 106 overlaps both, and a range found later is told to the earlier ones.
TEST(AccessIndex, NeighboursDoNotOverlap) {
  AccessIndex index;
  const RangeId low = index.range(100, 4), high = index.range(104, 4);
  EXPECT_EQ(index.overlapping(low), std::vector<RangeId>{low});
  const RangeId middle = index.range(103, 4);
  EXPECT_EQ(sorted(index.overlapping(low)), sorted({low, middle}));
  EXPECT_EQ(sorted(index.overlapping(high)), sorted({high, middle}));
}

TEST(AccessIndex, KeepsItsNumbersWhenItGrows) {
  AccessIndex index;
  std::vector<RangeId> ids;
  for (std::uint64_t i = 0; i < 2000; ++i) ids.push_back(index.range(64 * i, 8));
  for (std::uint64_t i = 0; i < 2000; ++i) EXPECT_EQ(index.range(64 * i, 8), ids[i]);
}

}  // namespace
}  // namespace inspect::search
