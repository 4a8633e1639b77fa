// Vector clocks: for each thread, how much of its past is known.
//
// Clocks are never reset between executions: each execution's begin at a base above all earlier ones, so whatever an older
// execution left behind, in clocks or records, compares as long past and needs no clearing.
#pragma once
#include <cstdint>

#include "hooks/operation.h"

namespace inspect::runtime {

using ClockValue = std::uint32_t;

struct alignas(64) Clock {
  ClockValue at[INSPECT_MAX_THREADS];

  // Only the first `threads` components are in use.
  void join(const Clock& other, unsigned threads) {
    for (unsigned i = 0; i < threads; ++i) at[i] = at[i] < other.at[i] ? other.at[i] : at[i];
  }
  void assign(const Clock& other, unsigned threads) {
    for (unsigned i = 0; i < threads; ++i) at[i] = other.at[i];
  }
};

}  // namespace inspect::runtime
