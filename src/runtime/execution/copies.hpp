// What the copies of the process (checkpoint.hpp) have in common: memory that all of them share.
#pragma once
#include <cstdint>

#include "runtime/platform/memory_map.hpp"

namespace inspect::runtime {

struct Copies {
  std::uint32_t served;              // messages of the explorer of which all requests were completed
  const std::uint8_t* next_request;  // of the message under way
  bool possible;
  std::uint64_t turns;    // requests completed
  std::uint64_t pause;    // so many more are run without copies
  std::uint64_t backoff;  // how many the latest pause had
  // In ticks of the processor's clock: a whole execution from where main begins, lately; what a copy costs beside what it runs;
  // what the latest one ran, 0 if it waited for others too; an execution without copies, lately; how long nothing was asked
  // for.
  std::uint64_t whole, cost, ran, direct, idle;
};
inline Copies& copies() { return *reinterpret_cast<Copies*>(kCopies); }

}  // namespace inspect::runtime
