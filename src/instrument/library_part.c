// What the wrappers add to every shared library: its tables are told to the runtime of the program that loads it.
#include "hooks/site.h"
#include "hooks/version.h"

#define BOUND extern __attribute__((weak, visibility("hidden")))
// The linker provides these where the section exists.
BOUND const inspect_site __start_inspect_sites[], __stop_inspect_sites[];
BOUND void* const __start_inspect_functions[];
BOUND void* const __stop_inspect_functions[];
BOUND inspect_tls_variable* const __start_inspect_tls_variables[];
BOUND inspect_tls_variable* const __stop_inspect_tls_variables[];
BOUND inspect_library_use __start_inspect_uses[], __stop_inspect_uses[];
BOUND const uint64_t __start_inspect_version[], __stop_inspect_version[];

// Before every constructor of the library's own.
__attribute__((constructor(101))) static void tell(void) {
  static inspect_tables tables;
  tables = (inspect_tables){
      __start_inspect_sites,         __stop_inspect_sites,         __start_inspect_functions, __stop_inspect_functions,
      __start_inspect_tls_variables, __stop_inspect_tls_variables, __start_inspect_uses,      __stop_inspect_uses};
  inspect_library_loaded(&tables);
  uint64_t version = INSPECT_HOOKS_VERSION;
  for (const uint64_t* v = __start_inspect_version; v != __stop_inspect_version; ++v)
    if (*v != version) version = *v;  // of an object that is older than this one
  inspect_library_version(version);
}
