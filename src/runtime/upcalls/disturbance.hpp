// What spoils a turn of a loop without a word of its own (spin.hpp).
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// The probed thread would go on.
[[noreturn]] void end_probe();

// The current thread changes something that no visible operation and no write tells of.
inline void disturb(Thread& t) {
  if (state().execution.probing) end_probe();
  t.loop_visit_count = 0;
}

}  // namespace inspect::runtime
