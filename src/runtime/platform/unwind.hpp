// Where a frame of code that keeps no frame pointers ends, from the unwinding information that the compiler left (.eh_frame).
//
// For questions that come up before an error is reported, never in a hook's usual path. Guarantees: reads nothing but that
// information and the stack between the frame and its end; what it cannot tell it says so.
#pragma once
#include <cstdint>

namespace inspect::runtime {

// A function that waits for a call to return: the instruction behind the call, its stack pointer and frame pointer (rbp) there.
struct CallerFrame {
  std::uintptr_t instruction, stack_pointer, frame_pointer;
};

// The end of its frame, which is its caller's stack pointer, and the caller. False: not told, or in a form that is not known.
bool unwind(const CallerFrame& frame, CallerFrame& caller);

}  // namespace inspect::runtime
