#include "runtime/race.hpp"

#include "runtime/memory_map.hpp"

namespace inspect::runtime {

const RaceReport& race_report() { return *reinterpret_cast<RaceReport*>(kRaceState); }
bool race_incomplete() { return true; }
void race_begin_execution() {}
void race_thread_created(std::uint8_t, std::uint8_t) {}
void race_thread_joined(std::uint8_t, std::uint8_t) {}
void race_thread_ended(std::uint8_t) {}
void race_acquire(std::uint8_t, std::uint64_t) {}
void race_release(std::uint8_t, std::uint64_t) {}
void race_acquire_shared(std::uint8_t, std::uint64_t) {}
void race_release_shared(std::uint8_t, std::uint64_t) {}
bool race_atomic_load(std::uint8_t, std::uint64_t, unsigned, inspect_order, std::uint32_t) { return true; }
bool race_atomic_store(std::uint8_t, std::uint64_t, unsigned, inspect_order, std::uint32_t) { return true; }
bool race_atomic_rmw(std::uint8_t, std::uint64_t, unsigned, inspect_order, std::uint32_t, bool, unsigned) { return true; }
bool race_atomic_cas(std::uint8_t, std::uint64_t, unsigned, bool, inspect_order, inspect_order, std::uint32_t) { return true; }
void race_fence(std::uint8_t, inspect_order) {}
bool race_object_access(std::uint8_t, std::uintptr_t, std::size_t, bool, std::uint32_t) { return true; }
bool race_access(std::uint8_t, std::uintptr_t, std::size_t, bool, std::uint32_t) { return true; }
bool race_free(std::uint8_t, std::uintptr_t, std::size_t, std::uint32_t) { return true; }

}  // namespace inspect::runtime
