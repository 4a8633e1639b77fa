// What happens to an exception that nobody catches.
#pragma once

namespace inspect::runtime {

// Takes the place of the C++ library's terminate handler, if the program has that library. At boot.
void boot_terminate();

}  // namespace inspect::runtime
