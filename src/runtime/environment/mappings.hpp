// Memory that the program maps by itself: at addresses that are a function of the thread, unmapped after the execution.
//
// Guarantees: an address is not used again within an execution (SEMANTICS B.4); pages are as the kernel gives them: zero, or a
// file's bytes. A file that is mapped cannot be written by descriptor in the same execution (refused by name), so that memory
// changes by the program's accesses alone. Deliberately not modelled: shared writable mappings of files, places the program
// chooses.
#pragma once
#include <cstdint>

namespace inspect::runtime {

void reset_mappings();
// Has the program made any in this execution that two copies of the process would share?
bool has_shared_mappings();

}  // namespace inspect::runtime
