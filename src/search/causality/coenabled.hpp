// May two transitions of different threads be enabled in one state? If not, there is no order to reverse.
//
// Sound in one direction only: "no" is certain. It follows from the operations (an unlock needs the mutex held, a lock needs it
// free) and from locksets: two threads that each hold the same lock exclusively before their operations are never both there
// (SEMANTICS H.5).
#pragma once
#include <cstdint>

#include "hooks/operation.h"
#include "model/effects.hpp"
#include "model/execution.hpp"
#include "search/mutation.hpp"

namespace inspect::search {

using Lockset = std::uint64_t;  // exclusively held locks, as bits; locks beyond the first 64 are left out, which is sound

// Does `o` wait until the lock `object` is free (for a reader: free of writers)?
inline bool waits_for_lock(const Operation& o, std::uint64_t object) {
  return waits_of(o.kind) == Waits::Lock && o.object == object;
}

// Is it certain that b is not enabled where a is enabled? Must be asked in both orders.
inline bool excluded_in_order(const Operation& a, const Operation& b) {
  if (a.kind == INSPECT_OP_ProcessEnd) return true;  // enabled only when nothing else is
  // A thread that gives a lock back holds it; a refused unlock may be of a thread that does not.
  const inspect_lock_effect effect = inspect_lock_effect_of(a.kind);
  if (effect == INSPECT_LOCK_GivesSecond) return waits_for_lock(b, a.object2);
  if (effect == INSPECT_LOCK_Gives) {
    if (failed(a) && !mutated(Mutation::refused_unlocks_exclude)) return false;
    const bool readers_both = a.kind == INSPECT_OP_ReadUnlock && b.kind == INSPECT_OP_ReadLock;
    return waits_for_lock(b, a.object) && !readers_both;
  }
  if (a.kind == INSPECT_OP_ThreadCreate)
    return (b.kind == INSPECT_OP_ThreadStart || b.kind == INSPECT_OP_ThreadJoin) && a.object == b.object;
  if (a.kind == INSPECT_OP_ThreadStart || a.kind == INSPECT_OP_ThreadExit)
    return b.kind == INSPECT_OP_ThreadJoin && a.object == b.object;
  return false;
}

// `load` waits for a value, or is a compare-exchange. Does `o` write exactly the bytes that `load` reads (so that `o` depends
// on every other write of them), and does its event say what was there before?
inline bool replaces_value(const Operation& o, const Operation& load) {
  constexpr std::uint32_t kLargest = 8;  // of values that events hold
  if (o.object != load.object || o.size != load.size || o.size > kLargest || o.size2) return false;
  const bool commutes = o.flags & INSPECT_FLAG_RESULT_UNUSED && !mutated(Mutation::adds_tell_what_was_there);
  return o.kind == INSPECT_OP_AtomicStore || o.kind == INSPECT_OP_AtomicCas || (o.kind == INSPECT_OP_AtomicRmw && !commutes);
}

inline bool may_be_coenabled(const Operation& a, Lockset locks_a, const Operation& b, Lockset locks_b) {
  if (mutated(Mutation::locks_not_reversed) && a.kind == INSPECT_OP_MutexLock && b.kind == INSPECT_OP_MutexLock) return false;
  return !(locks_a & locks_b) && !excluded_in_order(a, b) && !excluded_in_order(b, a);
}

}  // namespace inspect::search
