// The program's heap as the malloc family and the operators new and delete offer it: the arena, with misuse and limits
// reported.
#pragma once
#include <cstddef>

namespace inspect::runtime {

// By which family of functions memory was allocated: it is to be given back by the same.
enum class Family : unsigned char { malloc, plain, array, aligned, aligned_array };

// Has the program operators new or delete of its own? They may pair with anything.
bool operators_are_replaced();

// caller: the return address of the program's call, which is its place.
// Null, with errno set, for sizes that no heap could serve; a slice that is used up ends the execution as a limit.
void* heap_allocate(std::size_t size, std::size_t alignment, Family family, const void* caller);
void heap_free(void* p, Family family, const void* caller);

}  // namespace inspect::runtime
