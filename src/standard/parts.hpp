// The C++ library's ready-made code once more, as instrumented code: what <iostream>, <string>, <fstream> and their like
// declare `extern template` or as explicit specialisations lives in libstdc++.so, where no hook is. An archive of these parts
// is linked before that library by inspect-c++; whatever a program uses of it takes the place of the library's, for the library
// too.
//
// Guarantees: only symbols of libstdc++'s ABI with libstdc++'s layouts; each object file is pulled in only if it is needed.
// Deliberately unknown here: threads, the runtime. Why: docs/decisions/0008-the-cxx-library.md.
#pragma once

// Objects that the library makes itself (the standard streams' buffers, the facets of the classic locale) find their virtual
// functions by the names of tables; an object file that calls those functions has the tables linked.
#define INSPECT_PART(name) extern "C" __attribute__((visibility("hidden"))) const char inspect_part_##name = 0
#define INSPECT_NEEDS(name)                                                        \
  extern "C" __attribute__((visibility("hidden"))) const char inspect_part_##name; \
  __attribute__((used, retain)) static const char* const needs_##name = &inspect_part_##name

namespace {

// Counts as a change of the object, though it stays as it is: what a function does with another text to read.
template <class Object>
void touch(Object& object) {
  char bytes[sizeof object];
  __builtin_memcpy(bytes, &object, sizeof object);
  __builtin_memcpy(&object, bytes, sizeof object);
}

}  // namespace
