#include "runtime/states/object_numbers.hpp"

#include "runtime/platform/memory_map.hpp"

namespace inspect::runtime {
namespace {

constexpr std::uint32_t kSlots = 2 * ObjectNumbers::kMost;

// Behind what symmetric_pairs.cpp keeps.
struct Objects {
  std::uint32_t slots[kSlots];                  // 1 + index
  std::uintptr_t begins[ObjectNumbers::kMost];  // by index
  std::uint8_t notes[ObjectNumbers::kMost];
};
constexpr std::uintptr_t kObjects = kSymmetryScratch + (1ul << 20);
static_assert(kObjects + sizeof(Objects) <= kArenaState + (16ul << 20));
Objects& all() { return *reinterpret_cast<Objects*>(kObjects); }

std::uint32_t& slot_of(std::uintptr_t begin) {
  std::uint64_t i = (begin >> 3) * 0x9E3779B97F4A7C15ull >> 40;
  for (;; ++i) {
    std::uint32_t& slot = all().slots[i % kSlots];
    if (!slot || all().begins[slot - 1] == begin) return slot;
  }
}

}  // namespace

ObjectNumbers::~ObjectNumbers() {
  // In the opposite order, so that each is found.
  while (count_) slot_of(all().begins[--count_]) = 0;
}

std::uint32_t ObjectNumbers::of(std::uintptr_t begin) {
  std::uint32_t& slot = slot_of(begin);
  if (slot) return slot;
  if (count_ == kMost) return 0;
  all().begins[count_] = begin;
  all().notes[count_] = 0;
  return slot = ++count_;
}

std::uint32_t ObjectNumbers::met(std::uintptr_t begin) const { return slot_of(begin); }

std::uintptr_t ObjectNumbers::begin(std::uint32_t number) const { return all().begins[number - 1]; }

std::uint8_t& ObjectNumbers::note(std::uint32_t number) const { return all().notes[number - 1]; }

}  // namespace inspect::runtime
