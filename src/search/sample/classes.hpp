// How many classes of equivalent executions were seen: executions that order dependent transitions alike are one class
// (Mazurkiewicz trace).
//
// An execution's class is a sum, over its transitions, of a hash of (thread, alternative, label, happens-before clock). The
// clock is the set of what comes before, so the sum does not depend on the order of independent transitions. Guarantees:
// equivalent executions count once; others count separately, but for collisions of 64-bit hashes. Memory is bounded: the count
// stops at kLimit and is then a lower bound.
#pragma once
#include <cstdint>
#include <vector>

#include "search/core/path.hpp"

namespace inspect::search {

class Classes {
 public:
  static constexpr std::uint64_t kLimit = 1u << 22;

  Classes() : path_(Path::Keep::causality, sections_), table_(1u << 10) {}
  Classes(const Classes&) = delete;
  Classes& operator=(const Classes&) = delete;

  // Adds a whole execution. Returns the hash of its class.
  std::uint64_t add(const std::vector<Event>& events);
  void clear();

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] bool full() const { return count_ == kLimit; }

 private:
  [[nodiscard]] std::uint64_t hash_of_path() const;
  void insert(std::uint64_t hash);
  bool place(std::uint64_t hash);

  Sections sections_;
  Path path_;
  std::vector<Event> relabelled_;
  std::vector<std::uint64_t> table_;  // open addressing, at most half full; 0 is empty
  std::uint64_t count_ = 0;
};

}  // namespace inspect::search
