// May two transitions of different threads ever be enabled in one state? Where not, there is no order to reverse.
//
// Sound in one direction only: "no" is certain. From the operations (an unlock needs the mutex held, a lock needs it free) and
// from locksets: two threads that both hold one lock exclusively before their operations are never both there (SEMANTICS H.5).
#pragma once
#include <cstdint>

#include "hooks/operation.h"
#include "model/execution.hpp"
#include "search/mutation.hpp"

namespace inspect::search {

using Lockset = std::uint64_t;  // exclusively held locks, by number; a lock that finds no number is left out, which is sound

inline bool blocks_on_mutex(const Operation& o) { return o.kind == INSPECT_OP_MutexLock || o.kind == INSPECT_OP_CondWake; }

// One of a, b needs something to be so that the other needs not to be so.
inline bool excluded_in_order(const Operation& a, const Operation& b) {
  switch (a.kind) {
    case INSPECT_OP_ProcessEnd:
      return true;                // enabled only when nothing else is
    case INSPECT_OP_MutexUnlock:  // one that fails may be of a thread that does not hold it
      if (a.flags & INSPECT_FLAG_FAILED && !mutated(Mutation::refused_unlocks_exclude)) return false;
      return blocks_on_mutex(b) && a.object == b.object;
    case INSPECT_OP_CondWait:
      return blocks_on_mutex(b) && a.object2 == b.object;
    case INSPECT_OP_WriteUnlock:
      return (b.kind == INSPECT_OP_WriteLock || b.kind == INSPECT_OP_ReadLock) && a.object == b.object;
    case INSPECT_OP_ReadUnlock:
      return b.kind == INSPECT_OP_WriteLock && a.object == b.object;
    case INSPECT_OP_ThreadCreate:
      return (b.kind == INSPECT_OP_ThreadStart || b.kind == INSPECT_OP_ThreadJoin) && a.object == b.object;
    case INSPECT_OP_ThreadStart:
    case INSPECT_OP_ThreadExit:
      return b.kind == INSPECT_OP_ThreadJoin && a.object == b.object;
    default:
      return false;
  }
}

// Does an operation write exactly what the load that waits reads, so that it depends on all that writes there, and tell what
// was there before?
inline bool replaces_value(const Operation& o, const Operation& load) {
  if (o.object != load.object || o.size != load.size || o.size2) return false;
  return o.kind == INSPECT_OP_AtomicStore || o.kind == INSPECT_OP_AtomicCas ||
         (o.kind == INSPECT_OP_AtomicRmw && !(o.flags & INSPECT_FLAG_RESULT_UNUSED));
}

inline bool may_be_coenabled(const Operation& a, Lockset locks_a, const Operation& b, Lockset locks_b) {
  if (mutated(Mutation::locks_not_reversed) && a.kind == INSPECT_OP_MutexLock && b.kind == INSPECT_OP_MutexLock) return false;
  return !(locks_a & locks_b) && !excluded_in_order(a, b) && !excluded_in_order(b, a);
}

}  // namespace inspect::search
