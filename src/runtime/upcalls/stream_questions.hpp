// What the floors below ask of the models of streams.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Is the thread's pending operation one that waits for streams that other threads have locked?
bool waits_for_stream(const Thread& t);
// An access to an object of the C++ library's standard streams by one of their functions, which makes no data race
// (standard_streams.hpp)?
bool is_standard_stream_access(std::uintptr_t address, std::uint32_t site);

}  // namespace inspect::runtime
