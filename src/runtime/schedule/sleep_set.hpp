// Transitions that need not be taken, since what begins with them was explored: they wake when something dependent happens.
#pragma once
#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

struct Sleeper {
  std::uint8_t thread;
  bool awake;
  std::uint16_t alternative;
  Operation operation;  // as it was when it was explored
};

struct SleepSet {
  static constexpr unsigned kMost = 1024;
  unsigned count, asleep_count;
  Sleeper sleepers[kMost];
};
inline SleepSet& sleep_set() { return part<SleepSet>(Part::sleep_set); }

// Nothing sleeps: an execution begins.
inline void begin_sleep_set() { sleep_set().count = sleep_set().asleep_count = 0; }
// The end of the request's prefix is reached: what it lists falls asleep.
void install_sleep_set(const Request& request);
// `o` was performed, by the current thread.
void wake_dependent(const Operation& o);
inline void wake_sleepers(const Operation& o) {
  if (sleep_set().asleep_count) wake_dependent(o);
}
bool is_among_sleepers(unsigned thread, unsigned alternative);
inline bool is_asleep(unsigned thread, unsigned alternative) {
  return sleep_set().count && is_among_sleepers(thread, alternative);
}

}  // namespace inspect::runtime
