#include "explicit_engine/state_tree.hpp"

#include "base/check.hpp"

namespace inspect::explicit_engine {

template <class T>
std::size_t PairTable<T>::slot_of(const Pair& pair) const {
  const auto product =
      static_cast<unsigned __int128>(pair.first ^ 0x9E3779B97F4A7C15ull) * (pair.second ^ 0xD6E8FEB86659FD93ull);
  std::size_t i = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  for (i &= slots_.size() - 1; slots_[i] != kNone && !(pairs_[slots_[i]] == pair);) i = (i + 1) & (slots_.size() - 1);
  return i;
}

template <class T>
void PairTable<T>::grow() {
  slots_.assign(2 * slots_.size(), kNone);
  for (std::uint32_t n = 0; n < pairs_.size(); ++n) slots_[slot_of(pairs_[n])] = n;
}

template <class T>
std::uint32_t PairTable<T>::number_of(T first, T second) {
  if (3 * (pairs_.size() + 1) > 2 * slots_.size()) grow();
  const Pair pair{first, second};
  std::uint32_t& slot = slots_[slot_of(pair)];
  if (slot == kNone) {
    CHECK(pairs_.size() < kNone);
    slot = static_cast<std::uint32_t>(pairs_.size());
    pairs_.push_back(pair);
  }
  return slot;
}

template class PairTable<std::uint64_t>;
template class PairTable<std::uint32_t>;

// How many words there are decides on the shape of the tree, so equal numbers at one place stand for equal parts.
std::uint64_t StateTree::number_of(std::span<const std::uint64_t> words) {
  CHECK(words.size() < std::numeric_limits<std::uint32_t>::max());
  constexpr std::uint32_t kNothing = std::numeric_limits<std::uint32_t>::max();
  level_.clear();
  for (std::size_t i = 0; i < words.size(); i += 2)
    level_.push_back(leaves_.number_of(words[i], i + 1 < words.size() ? words[i + 1] : 0));
  while (level_.size() > 1) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < level_.size(); i += 2)
      level_[count++] = branches_.number_of(level_[i], i + 1 < level_.size() ? level_[i + 1] : kNothing);
    level_.resize(count);
  }
  return static_cast<std::uint64_t>(words.size()) << 32 | (level_.empty() ? 0 : level_.front());
}

}  // namespace inspect::explicit_engine
