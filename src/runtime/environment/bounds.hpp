// Does what a call of the library touches lie within the variables that its arguments point into?
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// What begins in one of the variables, or at an argument that was made from it, must lie within it.
void check_bounds(const ArgumentBounds& bounds, std::uintptr_t address, std::size_t size);

}  // namespace inspect::runtime
