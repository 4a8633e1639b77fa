// Locks that are certainly held, by address and mode.
//
// If a lock is in the sets of two accesses, exclusive in at least one of them, it orders the accesses in every execution.
// Guarantees: equal sets have one number; 0 is the empty set.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

namespace inspect::search {

struct HeldLock {
  std::uint64_t lock = 0;
  bool exclusive = true;
  friend auto operator<=>(const HeldLock&, const HeldLock&) = default;
};

class Locksets {
 public:
  using Number = std::uint32_t;
  using Set = std::vector<HeldLock>;  // sorted, each lock once

  Locksets() { number_of({}); }
  Number number_of(const Set& set);
  [[nodiscard]] const Set& set(Number n) const { return *sets_[n]; }

  Number with(Number n, std::uint64_t lock, bool exclusive);
  // Without what lies in [begin, end).
  Number without(Number n, std::uint64_t begin, std::uint64_t end);
  // What both hold, exclusively where both do so.
  Number common(Number a, Number b);
  // Is there a lock in both that one of them holds exclusively?
  [[nodiscard]] bool exclude(Number a, Number b) const;

 private:
  std::map<Set, Number> numbers_;
  std::vector<const Set*> sets_;
};

}  // namespace inspect::search
