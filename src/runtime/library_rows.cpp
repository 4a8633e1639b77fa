#include "runtime/library_rows.hpp"

#include <dlfcn.h>
#include <string.h>

#include <cstddef>

#include "runtime/owners.hpp"
#include "runtime/state.hpp"

namespace inspect::runtime {
namespace {

struct Row {
  const char *names, *effects;
};
constexpr Row kRows[] = {
#define HIDDEN(o)
#define LIBRARY(names, effects) {names, effects},
#include "hooks/library.def"
};

constexpr const char* kSystemLibraries[] = {"libc.so.",  "libm.so.",  "libstdc++.so.", "libgcc_s.so.", "libpthread.so.",
                                            "libdl.so.", "librt.so.", "libatomic.so.", "ld-linux",     "linux-vdso.so."};

// Tokens "runtime", "waits" and "tells" say who models the call, not what it touches.
bool has_effects(const char* effects) {
  for (const char* at = effects; *at;) {
    const std::size_t size = strcspn(at, " ");
    const auto is = [&](const char* word) { return strlen(word) == size && !strncmp(at, word, size); };
    if (!is("runtime") && !is("waits") && !is("tells")) return true;
    at += size;
    at += strspn(at, " ");
  }
  return false;
}

bool names_it(const char* names, const char* name) {
  const std::size_t length = strlen(name);
  for (const char* at = names; *at;) {
    const std::size_t size = strcspn(at, " ");
    const bool beginning = at[size - 1] == '*';
    if (beginning ? length >= size - 1 && !strncmp(at, name, size - 1) : size == length && !strncmp(at, name, size))
      return true;
    at += size;
    at += strspn(at, " ");
  }
  return false;
}

}  // namespace

bool is_system_library(const char* path) {
  const char* const slash = strrchr(path, '/');
  const char* const name = slash ? slash + 1 : path;
  for (const char* known : kSystemLibraries)
    if (!strncmp(name, known, strlen(known))) return true;
  return false;
}

bool is_harmless_library_function(const void* function) {
  Dl_info about;
  if (!dladdr(function, &about) || !about.dli_fname) return false;
  // The executable holds the runtime, and stubs for functions of libraries.
  const bool of_system = is_system_library(about.dli_fname);
  if (!of_system && reinterpret_cast<std::uintptr_t>(about.dli_fbase) != state().image_base) return false;
  // Nobody but the library itself has a pointer to a function that it does not export.
  if (about.dli_saddr != function || !about.dli_sname) return of_system;
  if (!strncmp(about.dli_sname, "__sanitizer_", 12)) return true;  // of the sanitizer's runtime, which keeps to itself
  if (owner_of(function, about.dli_sname) != INSPECT_OF_LIBRARY) return false;
  for (const Row& row : kRows)
    if (names_it(row.names, about.dli_sname)) return !has_effects(row.effects);
  return false;
}

}  // namespace inspect::runtime
