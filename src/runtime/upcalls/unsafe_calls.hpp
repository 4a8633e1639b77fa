// What holds a lock or is half done in its middle: a handler must not call it where it may have interrupted such a call, and a
// thread must not be cancelled within it.
#pragma once
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/interruption.hpp"

namespace inspect::runtime {

// The current thread is about to call a function of that name, which is safe in neither way. Others may run.
inline void enter_unsafe_call(const char* name, std::uint32_t site) {
  note_unsafe_call(name);
  if (may_be_cancelled_within()) cancel_within(name, site);
}

}  // namespace inspect::runtime
