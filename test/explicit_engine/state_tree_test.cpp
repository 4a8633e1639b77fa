// Trees of pairs against a map of whole descriptions.
#include "explicit_engine/state_tree.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace inspect::explicit_engine {
namespace {

TEST(StateTree, EqualNumbersAreEqualDescriptions) {
  std::mt19937_64 random(7);
  StateTree tree;
  std::map<std::vector<std::uint64_t>, std::uint64_t> known;
  std::map<std::uint64_t, std::vector<std::uint64_t>> by_number;
  for (unsigned i = 0; i < 30'000; ++i) {
    // Short ones and few values: many are the same, many begin alike, differ in length alone, or hold numbers of pairs.
    std::vector<std::uint64_t> words(random() % 12);
    for (auto& w : words) w = random() % 3 ? random() % 3 : ~random() % 2;
    const std::uint64_t number = tree.number_of(words);
    const auto [it, fresh] = known.emplace(words, number);
    ASSERT_EQ(it->second, number);
    ASSERT_EQ(by_number.emplace(number, words).first->second, words);
  }
  EXPECT_GT(known.size(), 5'000u);
}

TEST(StateTree, TrailingZeroesCount) {
  StateTree tree;
  std::vector<std::uint64_t> words;
  std::map<std::uint64_t, std::size_t> seen;
  for (std::size_t i = 0; i < 70; ++i, words.push_back(0)) EXPECT_TRUE(seen.emplace(tree.number_of(words), i).second) << i;
}

// What descriptions have in common is stored once: a change of one word costs a path of the tree.
TEST(StateTree, SharesWhatIsAlike) {
  StateTree tree;
  std::vector<std::uint64_t> words(1 << 10);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = i;
  constexpr std::uint64_t kStates = 10'000;
  for (std::uint64_t i = 0; i < kStates; ++i) {
    words[i % words.size()] += 1;
    tree.number_of(words);
  }
  EXPECT_LT(tree.bytes() / kStates, 400u);  // of 8 KB each
}

}  // namespace
}  // namespace inspect::explicit_engine
