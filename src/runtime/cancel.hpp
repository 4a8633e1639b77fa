// Cleanup handlers that plain C registers as jump buffers in its frames.
#pragma once
#include <cstdint>

namespace inspect::runtime {

// Called for each frame that pthread_exit unwinds, with its stack pointer. If the innermost handler stands in a frame already
// left: jumps there; the handler runs and comes back by __pthread_unwind_next. Else returns.
void jump_to_cleanup(std::uintptr_t frame);

}  // namespace inspect::runtime
