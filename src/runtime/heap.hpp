// The program's heap as the malloc family and the operators new and delete offer it: the arena, with misuse and limits
// reported.
#pragma once
#include <cstddef>

namespace inspect::runtime {

// caller: the return address of the program's call, which is its place.
// Null, with errno set, for sizes that no heap could serve; a slice that is used up ends the execution as a limit.
void* heap_allocate(std::size_t size, std::size_t alignment, const void* caller);
void heap_free(void* p, const void* caller);

}  // namespace inspect::runtime
