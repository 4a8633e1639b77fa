// Whose a function is that a program calls by a name of library.def: the library's, the runtime's model of it, or one that the
// program defines itself.
//
// Guarantees: the program's is never taken for the library's. Deliberately unknown: libraries that dlopen brings later.
#pragma once
#include "hooks/site.h"

namespace inspect::runtime {

inspect_owner owner_of(const void* function, const char* name);
// Answers the questions of all modules (inspect_library_use); at boot, when the functions with hooks are known.
void find_owners();
// Has the program functions of its own by such names, which it calls? After find_owners().
bool has_own_names();

}  // namespace inspect::runtime
