// What is told of each part of a state that may hold addresses, and which values are such.
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/memory/arena.hpp"
#include "runtime/platform/memory_map.hpp"

namespace inspect::runtime {

class Addresses {
 public:
  // May be an address.
  virtual void word(std::uint64_t value) = 0;
  // Aligned words of eight bytes in it may be addresses.
  virtual void bytes(const void* from, std::size_t size) = 0;

 protected:
  ~Addresses() = default;
};

// Objects of constructors lie at the same place in every execution: they are data.
inline bool is_of_heap(std::uint64_t value) { return value - kArenaBase < kArenaBytes && !is_of_boot(value); }

// Of a stack or of thread-local variables; a thread's handle is one too.
inline bool is_of_threads(std::uint64_t value) { return value - kStackBase < 2 * kStackSlot * INSPECT_MAX_THREADS; }
static_assert(kThreadLocalsBase == kStackBase + kStackSlot * INSPECT_MAX_THREADS && kThreadLocalsSlice == kStackSlot);

inline bool has_byte(std::uint64_t word, std::uint8_t byte) {
  constexpr std::uint64_t ones = 0x0101010101010101ull;
  const std::uint64_t zeroes = word ^ ones * byte;
  return (zeroes - ones) & ~zeroes & ones * 0x80;
}

// Is there, in the word at `at` or from the one before it on, a value at no multiple of eight that `is_address`? `top`: the
// byte that such values have in their sixth place.
template <class F>
bool hides_address(std::uintptr_t at, std::uintptr_t begin, std::uintptr_t end, std::uint8_t top, F&& is_address) {
  if (!has_byte(*reinterpret_cast<const std::uint64_t*>(at), top)) return false;
  // Its byte is in this word: it begins in this one or in the one before.
  for (std::uintptr_t p = at - begin < 7 ? begin : at - 7; p < at + 8 && p + 8 <= end; ++p) {
    if (p % 8 == 0) continue;
    std::uint64_t window;
    __builtin_memcpy(&window, reinterpret_cast<const void*>(p), sizeof window);
    if (is_address(window)) return true;
  }
  return false;
}

inline constexpr std::uint8_t kTopOfHeap = kArenaBase >> 40, kTopOfThreads = kStackBase >> 40;
static_assert(kArenaBytes <= 1ull << 40 && kArenaBase == std::uintptr_t{kTopOfHeap} << 40);
static_assert(2 * kStackSlot * INSPECT_MAX_THREADS <= 1ull << 40 && kStackBase == std::uintptr_t{kTopOfThreads} << 40);

}  // namespace inspect::runtime
