#include "search/causality/access_index.hpp"

#include "hooks/dependence.h"

namespace inspect::search {

namespace {
std::uint64_t slot_of(std::uint64_t object, std::uint32_t size) {
  std::uint64_t h = (object ^ (static_cast<std::uint64_t>(size) << 52)) * 0x9E3779B97F4A7C15ull;
  return h ^ (h >> 29);
}
}  // namespace

AccessIndex::RangeId AccessIndex::range(std::uint64_t object, std::uint32_t size) {
  if (table_.empty()) table_.resize(256);
  for (std::uint64_t i = slot_of(object, size);; ++i) {
    const std::uint32_t entry = table_[i & (table_.size() - 1)];
    if (!entry) return add(object, size);
    const Range& r = ranges_[entry - 1];
    if (r.object == object && r.size == size) return entry - 1;
  }
}

AccessIndex::RangeId AccessIndex::add(std::uint64_t object, std::uint32_t size) {
  const auto id = static_cast<RangeId>(ranges_.size());
  ranges_.push_back({object, size, {id}, {}, {}});
  for (RangeId other = 0; other < id; ++other) {
    if (!inspect_overlap(object, size, ranges_[other].object, ranges_[other].size)) continue;
    ranges_[other].overlapping.push_back(id);
    ranges_[id].overlapping.push_back(other);
  }
  if (2 * ranges_.size() > table_.size()) {
    grow();
    return id;
  }
  std::uint64_t i = slot_of(object, size);
  while (table_[i & (table_.size() - 1)]) ++i;
  table_[i & (table_.size() - 1)] = id + 1;
  return id;
}

void AccessIndex::grow() {
  table_.assign(4 * table_.size(), 0);
  for (RangeId id = 0; id < ranges_.size(); ++id) {
    std::uint64_t i = slot_of(ranges_[id].object, ranges_[id].size);
    while (table_[i & (table_.size() - 1)]) ++i;
    table_[i & (table_.size() - 1)] = id + 1;
  }
}

}  // namespace inspect::search
