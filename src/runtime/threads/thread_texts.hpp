// Texts that glibc keeps for each thread: the message of a number that has none of its own, an address in dots.
//
// The threads of an execution share glibc's thread-local memory, so these texts are the runtime's: blocks of the heap that
// their thread writes and that end with it, or with its next message. Known messages are glibc's, which last.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// At the end of the thread.
void end_thread_texts(Thread& t);

}  // namespace inspect::runtime
