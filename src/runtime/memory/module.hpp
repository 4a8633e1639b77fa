// What the runtime knows of the executable it is linked into, and of the instrumented shared libraries loaded with it: their
// tables, functions, load addresses.
//
// Deliberately unknown: libraries that were not built with the wrappers, and those that dlopen brings later.
#pragma once
#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// The executable (first) or a shared library that was built with the wrappers.
struct Module {
  inspect_tables tables;
  std::uintptr_t begin, end;
  std::uintptr_t code_begin, code_end;
  const char* path;
  std::uint32_t first_site, first_code;  // numbers of its first site and of its first byte of code
};

struct Modules {
  Module list[INSPECT_MAX_MODULES];
  unsigned count;
  std::uint64_t base;               // of the executable
  const inspect_site* sites_begin;  // likewise
  const inspect_site* sites_end;
  std::uint64_t tls_variables_size;  // of a thread's block of thread_local variables
};
inline Modules& modules() { return part<Modules>(Part::modules); }

// Number of a site in logs: 1 + index in the tables of all modules; 0 when unknown.
std::uint32_t library_site_number(const inspect_site* site);
// The inverse of site_number; null where there is none.
const inspect_site* site_at(std::uint32_t number);
inline std::uint32_t site_number(const inspect_site* site) {
  const Modules& m = modules();
  if (site >= m.sites_begin && site < m.sites_end) return std::uint32_t(site - m.sites_begin) + 1;
  return m.count > 1 ? library_site_number(site) : 0;
}

// Reads the tables that the pass left in the executable and its libraries; at boot, before the snapshot.
void read_modules();
// Tells the explorer where they are. code_is_known: the pass's table of code holds.
void publish_modules(bool code_is_known);
// Is the file one of the system's libraries?
bool is_system_library(const char* path);
// Is this function's code instrumented? (Its address is in the table of instrumented functions.)
bool is_instrumented(const void* function);
// Does the instruction before this address belong to such a function?
bool is_instrumented_code(std::uintptr_t instruction);
// Is this place in the code of the executable or of a library with our tables?
bool is_program_code(const void* place);

}  // namespace inspect::runtime
