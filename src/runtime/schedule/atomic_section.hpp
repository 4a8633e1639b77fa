// What inspect_atomic_begin and inspect_atomic_end enclose, while it is under way.
#pragma once
#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// The atomic section in progress (no other thread runs meanwhile): the ranges it touched.
struct AtomicSection {
  unsigned count;
  Operation ranges[256];
};
inline AtomicSection& atomic_section() { return part<AtomicSection>(Part::atomic_section); }

}  // namespace inspect::runtime
