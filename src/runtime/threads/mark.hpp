// The mark that an initialised synchronisation object holds: it stands for the object's address, so that a copy has none.
#pragma once
#include <cstdint>

namespace inspect::runtime {

inline constexpr std::uint32_t kDestroyed = 0xdeadc0de;  // no mark: those are odd and positive

inline std::uint32_t mark_of(const void* object) {
  const std::uint64_t mixed = reinterpret_cast<std::uint64_t>(object) * 0x9E3779B97F4A7C15ull;
  return (std::uint32_t(mixed >> 32) & 0x7fffffff) | 1;
}

}  // namespace inspect::runtime
