// The stack on which the runtime's own handlers of signals run.
#pragma once

namespace inspect::runtime {

// At boot.
void map_signal_stack();
// On each OS thread: where its signal handlers run.
void use_signal_stack();

}  // namespace inspect::runtime
