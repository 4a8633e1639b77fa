#include "runtime/memory/module.hpp"

#include <link.h>
#include <string.h>

#include "hooks/version.h"
#include "runtime/platform/export.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/program.hpp"
#include "runtime/upcalls/reports.hpp"

// Section bounds that the linker provides when the section exists.
extern "C" {
extern const inspect_site __start_inspect_sites[] __attribute__((weak, visibility("hidden")));
extern const inspect_site __stop_inspect_sites[] __attribute__((weak, visibility("hidden")));
extern void* const __start_inspect_functions[] __attribute__((weak, visibility("hidden")));
extern void* const __stop_inspect_functions[] __attribute__((weak, visibility("hidden")));
extern inspect_tls_variable* const __start_inspect_tls_variables[] __attribute__((weak, visibility("hidden")));
extern inspect_tls_variable* const __stop_inspect_tls_variables[] __attribute__((weak, visibility("hidden")));
extern inspect_library_use __start_inspect_uses[] __attribute__((weak, visibility("hidden")));
extern inspect_library_use __stop_inspect_uses[] __attribute__((weak, visibility("hidden")));
extern const std::uint64_t __start_inspect_code[] __attribute__((weak, visibility("hidden")));
extern const std::uint64_t __stop_inspect_code[] __attribute__((weak, visibility("hidden")));
}

// Marks an executable as instrumented, for `inspect check`.
__attribute__((section("inspect_runtime"), used, retain)) static const char kMark[] = "inspect runtime 1";

// The start of the function that contains the instruction, from its unwinding information.
extern "C" void* _Unwind_FindEnclosingFunction(void* instruction);

namespace inspect::runtime {
namespace {

// Sorted copy of the instrumented functions' addresses, in its own mapping.
struct FunctionTable {
  std::size_t count;
  std::uintptr_t addresses[];
};
constexpr std::size_t kFunctionTableBytes = 64ul << 20;
FunctionTable& functions() { return *reinterpret_cast<FunctionTable*>(kFunctionTableBase); }

void sift_down(std::uintptr_t* heap, std::size_t count, std::size_t at) {
  for (std::size_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && heap[child + 1] > heap[child]) ++child;
    if (heap[at] >= heap[child]) return;
    const std::uintptr_t swap = heap[at];
    heap[at] = heap[child];
    heap[child] = swap;
  }
}

void read_functions() {
  FunctionTable& table = functions();
  for (unsigned k = 0; k < modules().count; ++k) {
    const inspect_tables& tables = modules().list[k].tables;
    for (auto* f = tables.functions_begin; f < tables.functions_end && table.count < kFunctionTableBytes / 8 - 8; ++f)
      table.addresses[table.count++] = reinterpret_cast<std::uintptr_t>(*f);
  }
  for (std::size_t i = table.count / 2; i-- > 0;) sift_down(table.addresses, table.count, i);
  for (std::size_t n = table.count; n > 1;) {  // heap sort: no recursion, no allocation
    --n;
    const std::uintptr_t largest = table.addresses[0];
    table.addresses[0] = table.addresses[n];
    table.addresses[n] = largest;
    sift_down(table.addresses, n, 0);
  }
}

template <class Visitor>
void for_each_variable(Visitor visit) {
  for (unsigned k = 0; k < modules().count; ++k) {
    const inspect_tables& tables = modules().list[k].tables;
    for (auto* v = tables.variables_begin; v < tables.variables_end; ++v)
      if (*v) visit(**v);
  }
}

void copy_initial_value(const Thread& t, const inspect_tls_variable& v) {
  if (v.initial) memcpy(static_cast<char*>(t.thread_locals) + v.offset - 1, v.initial, v.size);
}

// Called again when constructors used some before every library was there: those keep their places.
void place_thread_locals() {
  State& s = state();
  std::uint64_t at = modules().tls_variables_size;
  for_each_variable([&](inspect_tls_variable& variable) {
    if (variable.offset) return;  // placed, or a merged definition that several units list
    const std::uint64_t align = variable.align ? variable.align : 1;
    at = (at + align - 1) / align * align;
    variable.offset = at + 1;  // 0 means not placed
    at += variable.size;
    if (s.threads[0].thread_locals) copy_initial_value(s.threads[0], variable);
  });
  modules().tls_variables_size = at;
}

// Where the module is loaded that holds `begin`'s tables; the executable comes first and holds the runtime.
int find_module(dl_phdr_info* info, std::size_t, void* sought) {
  Module& module = *static_cast<Module*>(sought);
  std::uintptr_t end = info->dlpi_addr;
  for (int k = 0; k < info->dlpi_phnum; ++k)
    if (const auto& header = info->dlpi_phdr[k];
        header.p_type == PT_LOAD && info->dlpi_addr + header.p_vaddr + header.p_memsz > end)
      end = info->dlpi_addr + header.p_vaddr + header.p_memsz;
  if (module.begin && (module.begin < info->dlpi_addr || module.begin >= end)) return 0;
  module.begin = info->dlpi_addr;
  module.end = end;
  for (int k = 0; k < info->dlpi_phnum; ++k)
    if (const auto& header = info->dlpi_phdr[k]; header.p_type == PT_LOAD && (header.p_flags & PF_X)) {
      module.code_begin = info->dlpi_addr + header.p_vaddr + 8;  // a call before it can be looked at
      module.code_end = info->dlpi_addr + header.p_vaddr + header.p_memsz;
    }
  module.path = info->dlpi_name;
  return 1;
}

constexpr const char* kSystemLibraries[] = {"libc.so.",  "libm.so.",  "libstdc++.so.", "libgcc_s.so.", "libpthread.so.",
                                            "libdl.so.", "librt.so.", "libatomic.so.", "ld-linux",     "linux-vdso.so."};

constexpr std::uint32_t kCodeSite = 0x80000000u;
constexpr std::ptrdiff_t kLibraryFrameWords = 64;

// Number of a place in the code of a module; 0 if it is in none.
std::uint32_t code_site(std::uintptr_t address) {
  for (unsigned k = 0; k < modules().count; ++k)
    if (const Module& module = modules().list[k]; address >= module.code_begin && address < module.code_end)
      return kCodeSite | (module.first_code + std::uint32_t(address - module.begin));
  return 0;
}

// Does a call instruction stand before it, relative, through memory, or through a register?
bool follows_call(std::uintptr_t address) {
  const auto* const p = reinterpret_cast<const std::uint8_t*>(address);
  const auto is_indirect = [](const std::uint8_t* at) { return at[0] == 0xff && (at[1] & 0x38) == 0x10; };
  return p[-5] == 0xe8 || is_indirect(p - 2) || is_indirect(p - 3) || is_indirect(p - 6);
}

// Numbers follow from the order in which the modules were loaded.
void place_modules() {
  std::uint32_t site = 1, code = 0;
  for (unsigned k = 0; k < modules().count; ++k) {
    Module& module = modules().list[k];
    dl_iterate_phdr(find_module, &module);
    module.first_site = site;
    module.first_code = code;
    site += std::uint32_t(module.tables.sites_end - module.tables.sites_begin);
    code += std::uint32_t(module.end - module.begin);
  }
}

}  // namespace

void read_modules() {
  map_zeroed(kFunctionTableBase, kFunctionTableBytes);
  if (!modules().count) modules().count = 1;
  modules().list[0].tables = {
      __start_inspect_sites,         __stop_inspect_sites,         __start_inspect_functions, __stop_inspect_functions,
      __start_inspect_tls_variables, __stop_inspect_tls_variables, __start_inspect_uses,      __stop_inspect_uses};
  place_modules();
  modules().sites_begin = __start_inspect_sites;
  modules().sites_end = __stop_inspect_sites;
  modules().base = modules().list[0].begin;
  read_functions();
  place_thread_locals();
}

void publish_modules(bool code_is_known) {
  const State& s = state();
  inspect_channel& c = *s.channel;
  c.module_count = modules().count;
  for (unsigned k = 0; k < modules().count; ++k) {
    const Module& module = modules().list[k];
    c.modules[k] = {module.begin,
                    module.end,
                    reinterpret_cast<std::uint64_t>(module.tables.sites_begin),
                    std::uint64_t(module.tables.sites_end - module.tables.sites_begin),
                    module.first_site,
                    module.first_code,
                    {}};
    if (k) strncpy(c.modules[k].path, module.path, sizeof c.modules[k].path - 1);
  }
  c.code = reinterpret_cast<std::uint64_t>(__start_inspect_code);
  c.code_bytes = std::uint64_t(__stop_inspect_code - __start_inspect_code) * sizeof(std::uint64_t);
  if (!code_is_known) c.code_bytes = 0;  // the table takes them for the library's
  c.program_main = reinterpret_cast<std::uint64_t>(main_of_program());
}

bool is_instrumented_code(std::uintptr_t instruction) {
  void* const function = _Unwind_FindEnclosingFunction(reinterpret_cast<void*>(instruction - 1));
  return function && is_instrumented(function);
}

bool is_instrumented(const void* function) {
  const FunctionTable& table = functions();
  const auto address = reinterpret_cast<std::uintptr_t>(function);
  std::size_t low = 0, high = table.count;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (table.addresses[middle] < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < table.count && table.addresses[low] == address;
}

bool is_system_library(const char* path) {
  const char* const slash = strrchr(path, '/');
  const char* const name = slash ? slash + 1 : path;
  for (const char* known : kSystemLibraries)
    if (!strncmp(name, known, strlen(known))) return true;
  return false;
}

bool is_program_code(const void* place) { return code_site(reinterpret_cast<std::uintptr_t>(place)) != 0; }

std::uint32_t caller_site(const void* return_address, const void* frame) {
  State& s = state();
  if (s.execution.ending.finishing) return kCodeSite;  // what is written then stands in no code of the program's
  if (frame) (s.running ? *s.current : s.threads[0]).caller = return_address;
  if (const std::uint32_t site = code_site(reinterpret_cast<std::uintptr_t>(return_address))) return site;
  if (!frame || !s.running) return kCodeSite;
  const auto* word = static_cast<const std::uintptr_t*>(frame) + 2;
  for (const auto* const end = word + kLibraryFrameWords; word < end && std::uintptr_t(word) < stack_top(s.current->id); ++word)
    if (const std::uint32_t site = code_site(*word); site && follows_call(*word)) return site;
  return kCodeSite;
}

const inspect_site* site_at(std::uint32_t number) {
  for (unsigned i = 0; number && i < modules().count; ++i) {
    const inspect_tables& tables = modules().list[i].tables;
    const std::uint32_t index = number - (i ? modules().list[i].first_site : 1);
    if (index < std::size_t(tables.sites_end - tables.sites_begin)) return tables.sites_begin + index;
  }
  return nullptr;
}

std::uint32_t library_site_number(const inspect_site* site) {
  for (unsigned k = 1; k < modules().count; ++k)
    if (const Module& module = modules().list[k]; site >= module.tables.sites_begin && site < module.tables.sites_end)
      return module.first_site + std::uint32_t(site - module.tables.sites_begin);
  return 0;
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

// A library loaded later, by dlopen in an execution, stays unknown: its functions count as not instrumented.
INSPECT_EXPORT void inspect_library_loaded(const inspect_tables* tables) {
  map_state();
  State& s = state();
  if (s.booted) return;
  if (!modules().count) modules().count = 1;  // the executable's place
  if (modules().count == INSPECT_MAX_MODULES) return;
  Module& module = modules().list[modules().count++];
  module.tables = *tables;
  module.begin = reinterpret_cast<std::uintptr_t>(tables);
}

INSPECT_EXPORT void inspect_library_version(std::uint64_t version) {
  if (version != INSPECT_HOOKS_VERSION && !state().booted)
    fail_before_main("a shared library was compiled with another version of inspect: compile it again");
}

namespace {
// Zeroed, at its fixed address.
void* allocate_thread_locals(unsigned thread, std::size_t size) {
  void* const at = reinterpret_cast<void*>(kThreadLocalsBase + thread * kThreadLocalsSlice);
  map_zeroed(reinterpret_cast<std::uintptr_t>(at), size + 1);
  return at;
}
}  // namespace

// The thread's block of thread_local variables is allocated and initialised at its first use.
INSPECT_EXPORT void* inspect_thread_local(void* descriptor) {
  auto& variable = *static_cast<inspect_tls_variable*>(descriptor);
  State& s = state();
  Thread& t = s.booted && s.current ? *s.current : s.threads[0];
  if (__builtin_expect(!t.thread_locals, 0)) {
    if (!s.booted) read_modules();
    t.thread_locals = allocate_thread_locals(t.id, s.booted ? modules().tls_variables_size : kMaxThreadLocals);
    for_each_variable([&](const inspect_tls_variable& v) { copy_initial_value(t, v); });
  }
  if (__builtin_expect(!variable.offset, 0)) {
    if (active()) report_unsupported("a thread_local variable of a shared library that was loaded by dlopen", 0);
    __builtin_trap();  // before main: no thread's copy can be told apart
  }
  return static_cast<char*>(t.thread_locals) + variable.offset - 1;
}
