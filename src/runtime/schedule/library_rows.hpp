// The table of library functions (hooks/library.def) at run time, for functions that are called through a pointer.
#pragma once

namespace inspect::runtime {

// Is it a function of one of these whose row has no effects but those that the runtime models itself, or one that they keep
// to themselves?
bool is_harmless_library_function(const void* function);

}  // namespace inspect::runtime
