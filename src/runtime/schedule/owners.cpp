#include "runtime/schedule/owners.hpp"

#include <dlfcn.h>
#include <link.h>

#include "runtime/memory/module.hpp"
#include "runtime/platform/state.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/interruption.hpp"

// The section of all that the runtime defines by names of the library's (private_names.cmake, malloc.cpp, new_delete.cpp).
extern "C" {
extern const char __start_inspect_models[] __attribute__((visibility("hidden")));
extern const char __stop_inspect_models[] __attribute__((visibility("hidden")));
}

namespace inspect::runtime {
namespace {

bool own_names;

}  // namespace

inspect_owner owner_of(const void* function, const char* name) {
  if (!function) return INSPECT_OF_LIBRARY;  // there is none, and no call
  const char* const place = static_cast<const char*>(function);
  if (place >= __start_inspect_models && place < __stop_inspect_models) return INSPECT_OF_LIBRARY;
  const inspect_owner programs = is_instrumented(function) ? INSPECT_OF_PROGRAM : INSPECT_OF_PROGRAM_WITHOUT_HOOKS;
  Dl_info about;
  const ElfW(Sym)* symbol = nullptr;
  if (!dladdr1(function, &about, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol)), RTLD_DL_SYMENT)) return programs;
  const bool in_executable = reinterpret_cast<std::uintptr_t>(about.dli_fbase) == modules().base;
  if (!in_executable && is_system_library(about.dli_fname)) return INSPECT_OF_LIBRARY;
  // A stub of the linker's, which jumps to what has the name.
  if (about.dli_saddr == function && symbol && symbol->st_shndx == SHN_UNDEF) {
    const void* const real = dlsym(RTLD_NEXT, name);
    return real == function ? INSPECT_OF_LIBRARY : owner_of(real, name);
  }
  return programs;
}

void find_owners() {
  for (unsigned k = 0; k < modules().count; ++k) {
    const inspect_tables& tables = modules().list[k].tables;
    for (inspect_library_use* use = tables.uses_begin; use < tables.uses_end; ++use) {
      use->owner = owner_of(use->function, use->name);
      own_names |= use->owner != INSPECT_OF_LIBRARY;
      if (use->owner != INSPECT_OF_LIBRARY) continue;
      find_use_of_cancellation(use->name);
      find_use_of_signals(use->name);
    }
  }
}

bool has_own_names() { return own_names; }

}  // namespace inspect::runtime
