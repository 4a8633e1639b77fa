// Which operations are accesses to memory, and of what kind, as the check for data races sees them.
#pragma once
#include <algorithm>
#include <cstdint>

#include "search/cut/reachable_effects.hpp"
#include "search/mutation.hpp"

namespace inspect::search {

// To free an object is to write all of it.
inline bool is_plain(const Operation& o) {
  const bool frees = o.kind == INSPECT_OP_Free && !mutated(Mutation::pdp_forgets_frees);
  return o.kind == INSPECT_OP_PlainRead || o.kind == INSPECT_OP_PlainWrite || frees;
}

inline bool is_atomic(const Operation& o) {
  return o.kind == INSPECT_OP_AtomicLoad || o.kind == INSPECT_OP_AtomicStore || o.kind == INSPECT_OP_AtomicRmw ||
         o.kind == INSPECT_OP_AtomicCas;
}

inline bool touches(const Operation& o) { return o.size && (is_plain(o) || is_atomic(o) || is_synchronisation(o)); }
inline bool writes(const Operation& o) { return inspect_effect_of(o.kind) == INSPECT_EFFECT_Write; }
inline std::uint32_t bytes(const Operation& o) { return is_synchronisation(o) ? std::min(o.size, kTouchedBytes) : o.size; }

inline bool overlap(std::uint64_t a, std::uint64_t an, std::uint64_t b, std::uint64_t bn) { return a < b + bn && b < a + an; }

}  // namespace inspect::search
