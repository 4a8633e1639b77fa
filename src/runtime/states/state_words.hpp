// The description of a state as it is, word by word: what a search keeps that does not trust hashes.
//
// It is written by StateHash, beside the hash, where the request asks for it. Guarantees: equal words, equal states; states
// with equal identities have equal words, but for collisions. Deliberately unknown here: what is described.
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

class StateWords {
 public:
  void begin() { count_ = 0, overflow_ = false; }
  void add(std::uint64_t word) {
    if (count_ < kMost)
      words_[count_++] = word;
    else
      overflow_ = true;
  }
  void give_up() { overflow_ = true; }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const std::uint64_t* words() const { return words_; }
  [[nodiscard]] bool is_whole() const { return !overflow_; }

 private:
  static constexpr std::uint32_t kMost = (kPartBytes / 2 - 16) / sizeof(std::uint64_t);

  std::uint32_t count_;
  bool overflow_;  // it is longer than that, or not known
  std::uint64_t words_[kMost];
};

// Two: of several descriptions of one state the best is kept while others are made.
struct StateWordsPair {
  unsigned kept;
  StateWords of[2];
};
inline StateWordsPair& state_words_pair() { return part<StateWordsPair>(Part::state_words); }

inline bool state_words_are_asked_for() { return state().request.message->flags & INSPECT_REQUEST_EXACT; }
// Where the next description goes, emptied; null: words are not asked for.
inline StateWords* begin_state_words() {
  if (!state_words_are_asked_for()) return nullptr;
  StateWordsPair& pair = state_words_pair();
  StateWords* const words = &pair.of[1 - pair.kept];
  words->begin();
  return words;
}
// What was described last is the description of the state, as far as is known now.
inline void keep_state_words() {
  if (state_words_are_asked_for()) state_words_pair().kept = 1 - state_words_pair().kept;
}
inline const StateWords& kept_state_words() { return state_words_pair().of[state_words_pair().kept]; }

}  // namespace inspect::runtime
