// Asked by the scheduler (execution/checkpoint.hpp).
#pragma once

namespace inspect::runtime {

// Is a copy of the process worth while in the present state? Makes it then. True: this is that copy, and the request is
// another. On the stack of the thread that runs.
bool at_possible_checkpoint();

}  // namespace inspect::runtime
