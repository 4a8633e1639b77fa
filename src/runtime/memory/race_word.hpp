// How the race checker packs accesses into shadow memory, and the part of its state that every access reads.
//
// Four bytes of a tracked region have a cell of two words: their last accesses that still matter, or a reference to a longer
// history.
#pragma once
#include "runtime/platform/clock.hpp"
#include "runtime/platform/memory_map.hpp"

namespace inspect::runtime {

// An access to up to four bytes. From the top: clock 28 bits, thread 7, kind 2, mask of bytes 4, end of life 1, site 22.
// A word with an empty mask is a reference to a history: its number stands in the bits of thread, kind, end of life and site.
using AccessWord = std::uint64_t;
enum class AccessKind : unsigned { read = 0, write = 1, atomic_read = 2, atomic_write = 3 };
inline constexpr unsigned kSiteBits = 22, kFreeShift = 22, kMaskShift = 23, kKindShift = 27, kThreadShift = 29,
                          kClockShift = 36;
inline constexpr ClockValue kClockLimit = (1u << 28) - 1;  // reached: the execution counts as not checked
inline constexpr ClockValue kFlushAt = 1u << 27;  // an execution that would begin above starts over with cleared records
inline constexpr AccessWord kFreeBit = 1ull << kFreeShift, kMaskBits = 15ull << kMaskShift;

constexpr ClockValue clock_of(AccessWord w) { return ClockValue(w >> kClockShift); }
constexpr unsigned thread_of_word(AccessWord w) { return unsigned(w >> kThreadShift) & 127; }
constexpr AccessKind kind_of(AccessWord w) { return AccessKind((w >> kKindShift) & 3); }
constexpr unsigned mask_of(AccessWord w) { return unsigned(w >> kMaskShift) & 15; }
constexpr std::uint32_t site_of(AccessWord w) { return std::uint32_t(w) & ((1u << kSiteBits) - 1); }
constexpr AccessWord without_bytes(AccessWord w, unsigned mask) { return w & ~(AccessWord(mask) << kMaskShift); }
constexpr bool is_write(AccessKind k) { return unsigned(k) & 1; }
constexpr bool is_atomic(AccessKind k) { return unsigned(k) & 2; }

struct Cell {
  AccessWord words[2];
};

struct RaceHot {
  bool recording;    // false while one thread exists that has joined all others
  ClockValue base;   // clocks of this execution begin here
  unsigned threads;  // 1 + largest number of a thread in this execution
  unsigned region_count;
  AccessWord epoch[INSPECT_MAX_THREADS];             // clock and thread of its next access
  std::uintptr_t regions[1u << (47 - kRegionBits)];  // shadow of a region, minus four times its address; 0: not assigned yet
};

inline RaceHot& race_hot() { return *reinterpret_cast<RaceHot*>(kRaceState); }

// Same thread, clock and kind, and no byte of `access` that `recorded` has not; sites aside.
constexpr bool says_as_much(AccessWord recorded, AccessWord access) {
  return ((recorded ^ access) & ~(recorded & kMaskBits)) >> kFreeShift == 0;
}

}  // namespace inspect::runtime
