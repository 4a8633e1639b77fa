// Requests in their turn: which is next follows from the channel alone, whoever asks.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

struct Turn {
  const inspect_request* request;
  const inspect_request* next;  // of the same message; null: it is the last
  unsigned slot;
};

// At boot, before the explorer is told that this process is ready.
void boot_turns();
// Waits until there is one.
Turn next_turn();
void complete_turn(const Turn& turn);
// Where the log of its execution begins.
inspect_record* log_of(const Turn& turn);

}  // namespace inspect::runtime
