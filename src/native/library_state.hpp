// Names for state that the C library keeps between calls, by the function that the user called.
#pragma once
#include <optional>
#include <string>

namespace inspect::native {

// "hidden state of setlocale" for "library state (locale)", as schedule files have it; none: it is no such state.
std::optional<std::string> library_state(const std::string& object);

}  // namespace inspect::native
