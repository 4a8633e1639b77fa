// The site table: where in the source each instrumented operation stands.
//
// The pass emits one inspect_site per operation into the section "inspect_sites"; hooks receive its address. The number of a
// site in logs is 1 + its index in that section (0 = unknown), so it is a function of the binary alone.
#pragma once
#include <stdint.h>

typedef struct inspect_site {
  const char* file;                       // as the compiler was told, prefix-mapped
  const char* function;                   // demangling is the reader's business
  const char* expression;                 // source expression of the accessed location ("b->count"), or null
  const struct inspect_site* inlined_at;  // call site this one was inlined into, or null
  uint32_t line, column;
} inspect_site;

// The pass emits one per call to a function that is only declared, into the section "inspect_externals": the runtime resolves
// it once (is the callee instrumented, modelled, or unknown?) and keeps the answer in `state`.
typedef struct inspect_external {
  void* function;
  const char* name;
  const inspect_site* site;
  uint64_t state;  // 0 unresolved, 1 known, 2 not covered
} inspect_external;

// The pass emits one per function of library.def that an object file calls, into the section "inspect_uses". The program may
// have a function of its own by that name: the runtime finds out at boot whose it is.
typedef struct inspect_library_use {
  void* function;
  const char* name;
  uint64_t owner;  // inspect_owner
} inspect_library_use;

enum inspect_owner { INSPECT_OF_LIBRARY, INSPECT_OF_PROGRAM, INSPECT_OF_PROGRAM_WITHOUT_HOOKS };

// A thread_local variable of the program, rewritten to a block that the runtime allocates per thread.
typedef struct inspect_tls_variable {
  uint64_t size, align;
  const void* initial;  // null: zeroes
  uint64_t offset;      // runtime's: place in the thread's block, assigned at boot
} inspect_tls_variable;

// The tables of one module, the executable or a shared library; null where it has none.
typedef struct inspect_tables {
  const inspect_site *sites_begin, *sites_end;
  void *const *functions_begin, *const *functions_end;
  inspect_tls_variable *const *variables_begin, *const *variables_end;
  inspect_library_use *uses_begin, *uses_end;
} inspect_tables;

// A shared library built with the wrappers tells the runtime, before main, that it is there. `tables` stands in the library.
#ifdef __cplusplus
extern "C"
#endif
    void
    inspect_library_loaded(const inspect_tables* tables);
// For which hooks (hooks/version.h) its objects were made.
#ifdef __cplusplus
extern "C"
#endif
    void
    inspect_library_version(uint64_t version);
