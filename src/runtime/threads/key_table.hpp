// The table of the keys of thread-specific data.
#pragma once
#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

struct KeyTable {
  unsigned count;  // 1 + the largest number that was ever given out
  bool deleted[kMaxKeys];
  void (*destructors[kMaxKeys])(void*);
};
struct Keys {
  KeyTable now, at_boot;
  void* before_main[kMaxKeys];  // values that constructors set
};
inline Keys& keys() { return part<Keys>(Part::keys); }

// What there is now is there whenever an execution begins.
inline void keep_keys() { keys().at_boot = keys().now; }
inline void restore_keys() { keys().now = keys().at_boot; }

}  // namespace inspect::runtime
