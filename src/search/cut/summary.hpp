// What can happen in a part of the exploration tree that was explored: sets of operations, each with its thread.
//
// A search that leaves out what was explored elsewhere must still insert the backtrack points that the left-out part would have
// inserted above it (SEMANTICS I). For that it needs the set of operations taken, or waited for, in that part: the summary U of
// the dissertation, ch. 4. There it is read off a graph of all operations seen; here each explored state has its own, smaller
// set. Guarantees: equal sets have one number. Deliberately unknown here: states, trees, races.
#pragma once
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/execution.hpp"
#include "search/causality/coenabled.hpp"

namespace inspect::search {

struct ThreadOperation {
  ThreadId thread = 0;
  Operation operation{};
  Lockset locks = 0;  // what the thread holds before it, as far as is known
};

class Summaries {
 public:
  using Number = std::uint32_t;            // of an operation, or of a set
  using Set = std::vector<std::uint64_t>;  // of operations, as bits; no zero words at the end

  Summaries() { number_of(Set{}); }

  Number number_of(const ThreadOperation& operation);
  [[nodiscard]] const ThreadOperation& operation(Number n) const { return operations_[n]; }
  Number number_of(const Set& set);
  [[nodiscard]] const Set& set(Number n) const { return *sets_[n]; }

  static void insert(Set& into, Number operation);
  static void insert(Set& into, const Set& all);
  template <class F>
  static void for_each(const Set& set, F&& f) {
    for (std::size_t w = 0; w < set.size(); ++w)
      for (std::uint64_t bits = set[w]; bits; bits &= bits - 1)
        f(static_cast<Number>(64 * w + static_cast<unsigned>(std::countr_zero(bits))));
  }

 private:
  struct OperationHash {
    std::size_t operator()(const ThreadOperation& o) const;
  };
  struct SameOperation {
    bool operator()(const ThreadOperation& a, const ThreadOperation& b) const;
  };
  struct SetHash {
    std::size_t operator()(const Set& s) const;
  };

  std::vector<ThreadOperation> operations_;
  std::unordered_map<ThreadOperation, Number, OperationHash, SameOperation> operation_numbers_;
  std::unordered_map<Set, Number, SetHash> set_numbers_;  // never moves its keys
  std::vector<const Set*> sets_;
};

}  // namespace inspect::search
