// Which functions of the C library the runtime means when it calls one.
#pragma once

namespace inspect::runtime {

// Finds them all, so that none is looked for during an execution. At boot.
void bind_library_functions();

}  // namespace inspect::runtime
