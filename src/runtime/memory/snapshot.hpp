// Taking the program back to the state in which main was about to start, within the process.
//
// Guarantees: after restore(), writable data of the executable and of every library, heap, stacks, TLS and thread-locals are as
// they were at take_snapshot(). Deliberately unknown here: descriptors and files (files.hpp).
#pragma once
#include <string.h>

#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Null, or why this program's state cannot be kept.
const char* take_snapshot();
void restore();

struct Excluded {
  const char *begin, *end;
};
struct WritableData {
  const char* address;
  std::size_t size;
  const char* copy;   // as it was at the snapshot
  Excluded bindings;  // within the data of the same module
};
unsigned writable_count();
WritableData writable(unsigned i);
// What is no part of the program's state: what is ours, and which functions the loader has found so far. In order.
unsigned excluded(const WritableData& data, Excluded (&parts)[3]);

}  // namespace inspect::runtime
