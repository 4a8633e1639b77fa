// A fast 128-bit hash of memory, in two lanes of folded multiplications.
//
// Guarantees: a function of the bytes and of how they are divided into calls; no table, no state outside the value. With
// `words` all that was hashed is written there too, such that what differs is written differently. Deliberately not: a hash
// that resists an adversary.
#pragma once
#include <string.h>

#include <cstddef>
#include <cstdint>

#include "runtime/states/state_words.hpp"

namespace inspect::runtime {

class StateHash {
 public:
  explicit StateHash(StateWords* words = nullptr) : words_(words) {}

  void word(std::uint64_t value) {
    mix(value, 0x9E3779B97F4A7C15ull);
    if (words_) words_->add(value);
  }
  void bytes(const void* from, std::size_t size) {
    word(size);
    const char* at = static_cast<const char*>(from);
    for (; size >= 16; size -= 16, at += 16) two(load(at, 8), load(at + 8, 8));
    if (size > 8)
      two(load(at, 8), load(at + 8, size - 8));
    else if (size)
      two(load(at, size), 0);
  }
  // A hash of what is written word by word besides.
  void summary(std::uint64_t low, std::uint64_t high) { mix(low, high); }
  // What follows is not known word by word.
  void give_up_words() {
    if (words_) words_->give_up();
  }
  [[nodiscard]] bool has_words() const { return words_; }
  [[nodiscard]] std::uint64_t low() const { return fold(low_ ^ kSecond, high_ ^ kFirst); }
  [[nodiscard]] std::uint64_t high() const { return fold(high_ ^ kThird, low_ + kSecond); }

 private:
  static constexpr std::uint64_t kFirst = 0xA0761D6478BD642Full, kSecond = 0xE7037ED1A0B428DBull,
                                 kThird = 0x8EBC6AF09C88C6E3ull;

  static std::uint64_t load(const char* from, std::size_t size) {
    std::uint64_t value = 0;
    memcpy(&value, from, size);
    return value;
  }
  static std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  void two(std::uint64_t a, std::uint64_t b) {
    mix(a, b);
    if (words_) words_->add(a), words_->add(b);
  }
  void mix(std::uint64_t a, std::uint64_t b) {
    low_ = fold(low_ ^ a ^ kFirst, b ^ kSecond) + (low_ << 1);
    high_ = fold(high_ ^ b ^ kThird, a ^ kFirst) + (high_ << 1);
  }

  std::uint64_t low_ = kFirst, high_ = kThird;
  StateWords* words_;
};

}  // namespace inspect::runtime
