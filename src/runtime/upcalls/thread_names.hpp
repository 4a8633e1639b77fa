// Which thread is called what in a description of the state: a permutation of the numbers of threads, but in keys by which
// threads are sorted, where all others have one name.
//
// Deliberately unknown here: which permutation, and what is described (states/thread_order.hpp).
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

struct ThreadNames {
  ThreadNames() {
    for (unsigned t = 0; t < INSPECT_MAX_THREADS; ++t) of[t] = std::uint8_t(t);
  }
  [[nodiscard]] Mask renamed(const Mask& threads) const {
    Mask names{};
    threads.for_each([&](unsigned t) { names.add(of[t]); });
    return names;
  }

  std::uint8_t of[INSPECT_MAX_THREADS];  // by thread
  Mask joined_in_row = {};               // by main, before it does anything else: which of them it is about to join is left out
};

}  // namespace inspect::runtime
