// What the runtime knows of the executable it is linked into, and of the instrumented shared libraries loaded with it: their
// tables, functions, load addresses.
//
// Deliberately unknown: libraries that were not built with the wrappers, and those that dlopen brings later.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Reads the tables that the pass left in the executable and its libraries; at boot, before the snapshot.
void read_modules();
// Tells the explorer where they are. code_is_known: the pass's table of code holds.
void publish_modules(bool code_is_known);
using MainFunction = int (*)(int, char**, char**);
// The program's, instrumented or not (boot.cpp).
MainFunction main_of_program();
// Is the file one of the system's libraries?
bool is_system_library(const char* path);
// Is this function's code instrumented? (Its address is in the table of instrumented functions.)
bool is_instrumented(const void* function);
// Does the instruction before this address belong to such a function?
bool is_instrumented_code(std::uintptr_t instruction);
// Is this place in the code of the executable or of a library with our tables?
bool is_program_code(const void* place);

}  // namespace inspect::runtime
