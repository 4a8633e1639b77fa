// Descriptions of states, each stored once and as a whole: trees of pairs that share what they have in common (Laarman, van de
// Pol, Weber, "Parallel recursive state compression for free", SPIN 2011, section 3).
//
// A description is cut into pairs of words, those into pairs of pairs, up to one; each pair is stored once and known by its
// number. Guarantees: two descriptions have the same number if and only if they are the same; nothing is told by a hash.
// Deliberately unknown here: what the words mean.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace inspect::explicit_engine {

// Pairs of T, numbered from 0 in the order of arrival.
template <class T>
class PairTable {
 public:
  std::uint32_t number_of(T first, T second);
  [[nodiscard]] std::uint64_t bytes() const { return pairs_.capacity() * sizeof(Pair) + slots_.size() * sizeof(std::uint32_t); }

 private:
  struct Pair {
    T first, second;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] std::size_t slot_of(const Pair& pair) const;
  void grow();

  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(1024, kNone);  // open addressing, at most two thirds full
};

class StateTree {
 public:
  // Of the description; equal numbers, equal descriptions. At most 2^32 - 1 pairs and as many words (CHECK).
  std::uint64_t number_of(std::span<const std::uint64_t> words);
  [[nodiscard]] std::uint64_t bytes() const { return leaves_.bytes() + branches_.bytes(); }

 private:
  PairTable<std::uint64_t> leaves_;
  PairTable<std::uint32_t> branches_;  // of numbers of one level: which one, their place in the tree says
  std::vector<std::uint32_t> level_;   // kept for its capacity
};

}  // namespace inspect::explicit_engine
