// Which transitions of the current path touched a byte range: the index behind happens-before and races.
//
// Ranges are numbered when first seen (addresses are stable over executions, so this settles quickly); each has the list of the
// transitions that touched exactly it, oldest first, and the numbers of the ranges it overlaps. Mixed sizes need no special
// case.
#pragma once
#include <cstdint>
#include <vector>

#include "model/execution.hpp"

namespace inspect::search {

class AccessIndex {
 public:
  using RangeId = std::uint32_t;

  struct Entry {
    std::uint32_t depth;
    bool barrier;  // conflicts with every operation on an overlapping range: all earlier entries happen before it
    ThreadId thread = 0;
    // Index where the run of this thread's consecutive entries begins; only the last of a run may be a barrier.
    std::uint32_t first = 0;
  };

  RangeId range(std::uint64_t object, std::uint32_t size);
  [[nodiscard]] const std::vector<RangeId>& overlapping(RangeId r) const { return ranges_[r].overlapping; }  // itself included
  [[nodiscard]] const std::vector<Entry>& entries(RangeId r) const { return ranges_[r].entries; }
  // Threads that touched exactly it; may hold some that did so only on an earlier path.
  [[nodiscard]] const ThreadSet& threads(RangeId r) const { return ranges_[r].threads; }
  void push(RangeId r, Entry e, ThreadId t) {
    auto& entries = ranges_[r].entries;
    e.thread = t;
    const bool goes_on = !entries.empty() && entries.back().thread == t && !entries.back().barrier;
    e.first = goes_on ? entries.back().first : static_cast<std::uint32_t>(entries.size());
    entries.push_back(e);
    ranges_[r].threads.insert(t);
  }
  void pop(RangeId r) { ranges_[r].entries.pop_back(); }

 private:
  struct Range {
    std::uint64_t object;
    std::uint32_t size;
    std::vector<RangeId> overlapping;
    std::vector<Entry> entries;
    ThreadSet threads;
  };

  RangeId add(std::uint64_t object, std::uint32_t size);
  void grow();

  std::vector<Range> ranges_;
  std::vector<std::uint32_t> table_;  // open addressing: range number + 1, 0 is empty
};

}  // namespace inspect::search
