// What every operation of a kind means, whoever performs it: the last columns of hooks/operations.def.
//
// Guarantees: every operation has its row there; nothing here has an answer for "all others". A claim that a row does not make
// does not hold, and each is one whose absence costs precision or a verdict, but never hides a behaviour.
#pragma once
#include <cstdint>

#include "hooks/operation.h"

namespace inspect {

enum class Waits : std::uint8_t { Never, Event, Lock, Count, Value, Ever };
enum class Outcome : std::uint8_t { Sure, Alike, Attempt, Open };
enum class Reply : std::uint8_t { Nothing, Told };

// kind None: the thread has ended.
constexpr Waits waits_of(unsigned kind) {
  constexpr Waits kTable[] = {
      Waits::Ever,
#define OPERATION(name, text, family, effect, lock, waits, outcome, reply, claims) Waits::waits,
#include "hooks/operations.def"
  };
  return kTable[kind];
}

constexpr Outcome outcome_of(unsigned kind) {
  constexpr Outcome kTable[] = {
      Outcome::Sure,
#define OPERATION(name, text, family, effect, lock, waits, outcome, reply, claims) Outcome::outcome,
#include "hooks/operations.def"
  };
  return kTable[kind];
}

constexpr Reply reply_of(unsigned kind) {
  constexpr Reply kTable[] = {
      Reply::Told,
#define OPERATION(name, text, family, effect, lock, waits, outcome, reply, claims) Reply::reply,
#include "hooks/operations.def"
  };
  return kTable[kind];
}

// In the order of the letters of a row.
enum class Claim : std::uint8_t { safe_in_handlers, uninterrupted, uncancelled, described, own_code, confined, renamed };

namespace claims_of_rows {

constexpr char kLetters[] = "hwkdoca";
void neither_letter_nor_dot();  // no constant expression

// A bit for each claim; what is no row of letters does not compile.
consteval std::uint8_t bits(const char (&row)[sizeof kLetters]) {
  std::uint8_t all = 0;
  for (unsigned i = 0; i < sizeof kLetters - 1; ++i) {
    if (row[i] == kLetters[i])
      all |= std::uint8_t(1u << i);
    else if (row[i] != '.')
      neither_letter_nor_dot();
  }
  return all;
}

// kind None: the thread has ended.
inline constexpr std::uint8_t kTable[] = {
    0,
#define OPERATION(name, text, family, effect, lock, waits, outcome, reply, claims) bits(claims),
#include "hooks/operations.def"
};

}  // namespace claims_of_rows

constexpr bool holds(Claim claim, unsigned kind) { return claims_of_rows::kTable[kind] >> unsigned(claim) & 1; }

}  // namespace inspect
