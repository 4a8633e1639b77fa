// What is told of a state: its identity, or why it has none, and what else was asked for.
#pragma once
#include "runtime/platform/mutation.hpp"
#include "runtime/platform/state.hpp"
#include "runtime/states/state_hash.hpp"

namespace inspect::runtime {

struct Identity {
  std::uint64_t low, high;        // both 0: like no other
  inspect_no_identity why;        // then
  Mask safe = {};                 // threads whose next transition is independent of what others can do before it, if asked for
  std::uint32_t allocations = 0;  // how many there have been, if that was asked for
  bool permuted = false;          // threads are described in each other's places
};

inline Identity identity_of(const StateHash& hash) {
  const bool collides = mutated(Mutation::hashes_collide);
  const std::uint64_t low = collides ? hash.low() & 63 : hash.low();
  return {.low = low ? low : 1, .high = collides ? 0 : hash.high(), .why = INSPECT_HAS_IDENTITY};
}

}  // namespace inspect::runtime
