// What operations mean to a search: locks, waiting, and what is known of them behind other transitions (hooks/operations.def).
//
// Guarantees: every operation has its row there; nothing here has an answer for "all others".
#pragma once
#include "hooks/meaning.hpp"
#include "model/execution.hpp"

namespace inspect {

inline bool failed(const Operation& o) { return o.flags & INSPECT_FLAG_FAILED; }

// Takes a lock that nobody else may hold meanwhile.
inline bool takes_lock(const Operation& o) { return !failed(o) && inspect_lock_effect_of(o.kind) == INSPECT_LOCK_Takes; }
inline bool shares_lock(const Operation& o) { return !failed(o) && inspect_lock_effect_of(o.kind) == INSPECT_LOCK_Shares; }

}  // namespace inspect
