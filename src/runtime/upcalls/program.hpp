// The program under test as it was found at boot (execution/boot.cpp).
#pragma once

namespace inspect::runtime {

using MainFunction = int (*)(int, char**, char**);
// The program's, instrumented or not.
MainFunction main_of_program();

}  // namespace inspect::runtime
