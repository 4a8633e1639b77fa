// Has a synchronisation object been initialised? Its own memory tells.
//
// An initialised object holds a mark that stands for its address, so that a copy of one is none. All zeroes are a static
// initialiser, where the object has one and the memory was written at all: a fresh block of the heap is zero as well, and
// the pass fills uninitialised local objects with kNeverInitialised. Deliberately unknown: blocks of 32 KB and more, and
// objects in unions and dynamic allocas, whose zeroes count as written.
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/threads/mark.hpp"

namespace inspect::runtime {

// Ends the execution if the object, whose mark is given, is not ready for use. what: "a mutex"; has_static_initialiser: zeroes
// may be one.
void require_initialised(const void* object, std::size_t size, std::uint32_t mark, bool has_static_initialiser,
                         const char* what, std::uint32_t site);
// Likewise for the attributes that a call is given, if it is given any (attributes.cpp).
void require_attributes(const void* attributes, std::size_t size, const char* call, std::uint32_t site);
template <class T>
void require_attributes(const T* attributes, const char* call, std::uint32_t site) {
  require_attributes(attributes, sizeof *attributes, call, site);
}
// Was the runtime called by code with hooks? A library that has none may have written what is not seen.
bool called_by_program();
// Ends the execution if the object is initialised already.
void require_new(const void* object, std::uint32_t mark, const char* what, std::uint32_t site);

}  // namespace inspect::runtime
