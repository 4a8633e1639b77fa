// What the undefined behaviour sanitizer of the compiler does at the end of a program.
#pragma once

namespace inspect::runtime {

// If the program was built with it. At boot.
void boot_sanitizer();

}  // namespace inspect::runtime
