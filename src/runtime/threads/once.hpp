// pthread_once, call_once and the guards of function-local statics.
//
// Guarantees: the second to come waits until the first is done; a routine that leaves by an exception (or pthread_exit) has not
// run. What was done before main needs no scheduling point: no execution can order it otherwise.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

int run_once(int* control, void (*routine)(), std::uint32_t site);

}  // namespace inspect::runtime
