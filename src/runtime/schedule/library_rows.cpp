#include "runtime/schedule/library_rows.hpp"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include <cstddef>

#include "runtime/memory/module.hpp"
#include "runtime/platform/state.hpp"
#include "runtime/schedule/owners.hpp"

namespace inspect::runtime {
namespace {

struct Row {
  const char *names, *effects;
};
constexpr Row kRows[] = {
#define LIBRARY_STATE(o)
#define LIBRARY(names, effects) {names, effects},
#include "hooks/library.def"
};

// Tokens "runtime", "waits" and "tells" say who models the call, not what it touches.
bool has_effects(const char* effects) {
  for (const char* at = effects; *at;) {
    const std::size_t size = strcspn(at, " ");
    const auto is = [&](const char* word) { return strlen(word) == size && !strncmp(at, word, size); };
    if (!is("runtime") && !is("waits") && !is("tells") && !is("looks")) return true;
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

const Row* row_of(const char* name) {
  for (const Row& row : kRows)
    if (names_it(row.names, name)) return &row;
  return nullptr;
}

// A library's table of symbols, and how many there are: its chains of hashes end with the last.
struct Symbols {
  const ElfW(Sym) * first = nullptr;
  const char* names = nullptr;
  std::uint32_t count = 0;

  explicit Symbols(const link_map& library) {
    const std::uint32_t* hashes = nullptr;
    for (const ElfW(Dyn)* d = library.l_ld; d->d_tag != DT_NULL; ++d) {
      const auto* const place = reinterpret_cast<const void*>(d->d_un.d_ptr);
      if (d->d_tag == DT_SYMTAB) first = static_cast<const ElfW(Sym)*>(place);
      if (d->d_tag == DT_STRTAB) names = static_cast<const char*>(place);
      if (d->d_tag == DT_GNU_HASH) hashes = static_cast<const std::uint32_t*>(place);
    }
    if (first && names && hashes) count = count_of(hashes);
  }

 private:
  static std::uint32_t count_of(const std::uint32_t* hashes) {
    const std::uint32_t bucket_count = hashes[0], offset = hashes[1], filter_words = hashes[2];
    const std::uint32_t* const buckets = hashes + 4 + 2 * filter_words;
    const std::uint32_t* const chains = buckets + bucket_count;
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < bucket_count; ++i)
      if (buckets[i] > last) last = buckets[i];
    if (last < offset) return 0;
    while (!(chains[last - offset] & 1)) ++last;
    return last + 1;
  }
};

// An exported name may stand for one of several functions that are not, whichever suits the processor best. Is this one chosen
// for names of which none has a row without effects?
bool is_chosen_with_effects(const void* function, const link_map& library) {
  const Symbols symbols(library);
  bool chosen = false;
  for (std::uint32_t i = 0; i < symbols.count; ++i) {
    const ElfW(Sym)& symbol = symbols.first[i];
    if (ELF64_ST_TYPE(symbol.st_info) != STT_GNU_IFUNC || symbol.st_shndx == SHN_UNDEF) continue;
    const auto choose = reinterpret_cast<const void* (*)()>(library.l_addr + symbol.st_value);
    if (choose() != function) continue;
    const Row* const row = row_of(symbols.names + symbol.st_name);
    if (row && !has_effects(row->effects)) return false;
    chosen = true;
  }
  return chosen;
}

}  // namespace

bool is_harmless_library_function(const void* function) {
  Dl_info about;
  const link_map* library = nullptr;
  if (!dladdr1(function, &about, reinterpret_cast<void**>(const_cast<link_map**>(&library)), RTLD_DL_LINKMAP)) return false;
  if (!about.dli_fname || !library) return false;
  // The executable holds the runtime, and stubs for functions of libraries.
  const bool of_system = is_system_library(about.dli_fname);
  if (!of_system && reinterpret_cast<std::uintptr_t>(about.dli_fbase) != modules().base) return false;
  // Nobody but the library itself has a pointer to a function that it does not export, but for those chosen at run time.
  if (about.dli_saddr != function || !about.dli_sname) return of_system && !is_chosen_with_effects(function, *library);
  if (!strncmp(about.dli_sname, "__sanitizer_", 12)) return true;  // of the sanitizer's runtime, which keeps to itself
  if (owner_of(function, about.dli_sname) != INSPECT_OF_LIBRARY) return false;
  const Row* const row = row_of(about.dli_sname);
  return row && !has_effects(row->effects);
}

}  // namespace inspect::runtime
