// What operations mean to a search: locks, waiting, and what is known of them behind other transitions (hooks/operations.def).
//
// Guarantees: every operation has its row there; nothing here has an answer for "all others".
#pragma once
#include <cstdint>

#include "hooks/operation.h"
#include "model/execution.hpp"

namespace inspect {

enum class Waits : std::uint8_t { Never, Event, Lock, Count, Value, Ever };
enum class Outcome : std::uint8_t { Sure, Alike, Attempt, Open };
enum class Reply : std::uint8_t { Nothing, Told };

// kind None: the thread has ended.
inline Waits waits_of(unsigned kind) {
  static constexpr Waits kTable[] = {
      Waits::Ever,
#define OPERATION(name, text, family, effect, lock, waits, outcome, reply) Waits::waits,
#include "hooks/operations.def"
  };
  return kTable[kind];
}

inline Outcome outcome_of(unsigned kind) {
  static constexpr Outcome kTable[] = {
      Outcome::Sure,
#define OPERATION(name, text, family, effect, lock, waits, outcome, reply) Outcome::outcome,
#include "hooks/operations.def"
  };
  return kTable[kind];
}

inline Reply reply_of(unsigned kind) {
  static constexpr Reply kTable[] = {
      Reply::Told,
#define OPERATION(name, text, family, effect, lock, waits, outcome, reply) Reply::reply,
#include "hooks/operations.def"
  };
  return kTable[kind];
}

inline bool failed(const Operation& o) { return o.flags & INSPECT_FLAG_FAILED; }

// Takes a lock that nobody else may hold meanwhile.
inline bool takes_lock(const Operation& o) { return !failed(o) && inspect_lock_effect_of(o.kind) == INSPECT_LOCK_Takes; }
inline bool shares_lock(const Operation& o) { return !failed(o) && inspect_lock_effect_of(o.kind) == INSPECT_LOCK_Shares; }

}  // namespace inspect
