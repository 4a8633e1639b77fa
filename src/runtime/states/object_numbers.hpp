// Numbers of heap objects, from 1 in the order in which they are met.
//
// Guarantees: one instance at a time; it leaves nothing behind. Deliberately unknown here: what they are met in.
#pragma once
#include <cstdint>

namespace inspect::runtime {

class ObjectNumbers {
 public:
  static constexpr std::uint32_t kMost = 1u << 16;

  ObjectNumbers() = default;
  ~ObjectNumbers();
  ObjectNumbers(const ObjectNumbers&) = delete;
  ObjectNumbers& operator=(const ObjectNumbers&) = delete;

  // 0: there are too many.
  std::uint32_t of(std::uintptr_t begin);
  // The same, of objects that were met.
  [[nodiscard]] std::uint32_t met(std::uintptr_t begin) const;
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uintptr_t begin(std::uint32_t number) const;
  // A byte of the object's, for whoever numbers: 0 at first.
  [[nodiscard]] std::uint8_t& note(std::uint32_t number) const;

 private:
  std::uint32_t count_ = 0;
};

}  // namespace inspect::runtime
