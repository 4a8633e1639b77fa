// What happens to an exception that nobody catches.
#pragma once
#include <cstdint>

namespace inspect::runtime {

// Takes the place of the C++ library's terminate handler, if the program has that library. At boot.
void boot_terminate();
// Where the program entered the library from which this is called: the innermost place with a throw, say.
std::uint32_t thrower_site();

}  // namespace inspect::runtime
