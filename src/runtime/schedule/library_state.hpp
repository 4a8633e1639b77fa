// Library state behind calls that name no memory (SEMANTICS G; the rows LIBRARY_STATE of hooks/library.def).
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" char inspect_library_state[];

namespace inspect::runtime {

// Is this the state of rand and random (one generator in glibc), of the system's log, or of C++'s handlers? The library locks
// them itself, or changes them atomically: a call is no race but a scheduling point.
bool is_locked_library_state(std::uintptr_t address);
// Is this an object of library state at all?
bool is_library_state(std::uintptr_t address);
void use_locked_library_state(std::uintptr_t address, std::uint32_t site);

}  // namespace inspect::runtime
