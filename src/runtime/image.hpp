// What the runtime knows of the executable it is linked into: its tables, its functions, its load address.
#pragma once
#include "runtime/state.hpp"

namespace inspect::runtime {

// Reads the tables that the pass left in the executable; at boot, before the snapshot.
void read_image();
// Says in the channel where the table of what functions do is.
void publish_code(inspect_channel& channel);
// Is this function's code instrumented? (Its address is in the table of instrumented functions.)
bool is_instrumented(const void* function);

}  // namespace inspect::runtime
