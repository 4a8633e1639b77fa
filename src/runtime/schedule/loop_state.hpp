// What is known of the loops that wait (spin.hpp).
#pragma once
#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// In one execution.
struct LoopState {
  bool turn_changed_atomic;                      // some turn of a loop has changed an atomic object
  bool turn_released_lock;                       // some turn of a loop gave away a lock that it held when it began
  std::uint64_t writes;                          // visible operations so far that changed something
  unsigned carried_words, carried_object_count;  // handed over for the coming head of a loop
};
struct Loops : LoopState {
  std::uint32_t armed_visits;  // heads of loops that the current thread passes until its turns are only counted again
  std::uint64_t carried[48];
  struct {
    std::uintptr_t begin, end;
  } carried_objects[16];  // stack objects whose bytes are among `carried`
};
inline Loops& loops() { return part<Loops>(Part::loops); }
inline void begin_loops() { static_cast<LoopState&>(loops()) = {}; }

}  // namespace inspect::runtime
