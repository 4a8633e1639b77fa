#include "runtime/image.hpp"

#include <link.h>
#include <string.h>

#include "runtime/export.hpp"
#include "runtime/schedule.hpp"
#include "runtime/snapshot.hpp"
#include "runtime/system_call.hpp"

// Section bounds that the linker provides when the section exists.
extern "C" {
extern const inspect_site __start_inspect_sites[] __attribute__((weak));
extern const inspect_site __stop_inspect_sites[] __attribute__((weak));
extern const std::uint64_t __start_inspect_code[] __attribute__((weak));
extern const std::uint64_t __stop_inspect_code[] __attribute__((weak));
extern void* const __start_inspect_functions[] __attribute__((weak));
extern void* const __stop_inspect_functions[] __attribute__((weak));
extern inspect_tls_variable* const __start_inspect_tls_variables[] __attribute__((weak));
extern inspect_tls_variable* const __stop_inspect_tls_variables[] __attribute__((weak));
}

// Marks an executable as instrumented, for `inspect check`.
__attribute__((section("inspect_runtime"), used, retain)) static const char kMark[] = "inspect runtime 1";

namespace inspect::runtime {
namespace {

// Sorted copy of the instrumented functions' addresses, in its own mapping.
struct FunctionTable {
  std::size_t count;
  std::uintptr_t addresses[];
};
constexpr std::uintptr_t kFunctionTable = 0x206000000000;
constexpr std::size_t kFunctionTableBytes = 64ul << 20;
FunctionTable& functions() { return *reinterpret_cast<FunctionTable*>(kFunctionTable); }

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
  if (!__start_inspect_functions) return;
  FunctionTable& table = functions();
  const std::size_t count = std::size_t(__stop_inspect_functions - __start_inspect_functions);
  for (std::size_t i = 0; i < count && table.count < kFunctionTableBytes / 8 - 8; ++i)
    table.addresses[table.count++] = reinterpret_cast<std::uintptr_t>(__start_inspect_functions[i]);
  for (std::size_t i = table.count / 2; i-- > 0;) sift_down(table.addresses, table.count, i);
  for (std::size_t n = table.count; n > 1;) {  // heap sort: no recursion, no allocation
    --n;
    const std::uintptr_t largest = table.addresses[0];
    table.addresses[0] = table.addresses[n];
    table.addresses[n] = largest;
    sift_down(table.addresses, n, 0);
  }
}

void place_thread_locals() {
  State& s = state();
  if (!__start_inspect_tls_variables) return;
  std::uint64_t at = 0;
  for (auto* v = __start_inspect_tls_variables; v < __stop_inspect_tls_variables; ++v) {
    if (!*v) continue;
    inspect_tls_variable& variable = **v;
    if (variable.offset) continue;  // a merged definition that several units list
    const std::uint64_t align = variable.align ? variable.align : 1;
    at = (at + align - 1) / align * align;
    variable.offset = at + 1;  // 0 means not placed
    at += variable.size;
  }
  s.tls_variables_size = at;
}

int find_base(dl_phdr_info* info, std::size_t, void* base) {
  *static_cast<std::uint64_t*>(base) = info->dlpi_addr;
  return 1;  // the executable comes first
}

}  // namespace

void read_image() {
  State& s = state();
  map_zeroed(kFunctionTable, kFunctionTableBytes);
  s.sites_begin = __start_inspect_sites;
  s.sites_end = __stop_inspect_sites;
  dl_iterate_phdr(find_base, &s.image_base);
  read_functions();
  place_thread_locals();
}

void publish_code(inspect_channel& c) {
  c.code = reinterpret_cast<std::uint64_t>(__start_inspect_code);
  c.code_bytes = std::uint64_t(__stop_inspect_code - __start_inspect_code) * sizeof(std::uint64_t);
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

std::uint32_t caller_site(const void* return_address) {
  const std::uint64_t offset = reinterpret_cast<std::uint64_t>(return_address) - state().image_base;
  return 0x80000000u | std::uint32_t(offset < 0x7fffffff ? offset : 0);
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

// The thread's block of thread_local variables is allocated and initialised at its first use.
INSPECT_EXPORT void* inspect_thread_local(void* descriptor) {
  auto& variable = *static_cast<inspect_tls_variable*>(descriptor);
  State& s = state();
  Thread& t = s.booted && s.current ? *s.current : s.threads[0];
  if (__builtin_expect(!t.thread_locals, 0)) {
    if (!s.booted) read_image();
    t.thread_locals = allocate_thread_locals(t.id, s.tls_variables_size);
    for (auto* v = __start_inspect_tls_variables; v < __stop_inspect_tls_variables; ++v)
      if (*v && (*v)->initial) memcpy(static_cast<char*>(t.thread_locals) + (*v)->offset - 1, (*v)->initial, (*v)->size);
  }
  if (__builtin_expect(!variable.offset, 0)) {
    if (active()) report_unsupported("a thread_local variable of a shared library that was built with inspect-cc", 0);
    __builtin_trap();  // before main: no thread's copy can be told apart
  }
  return static_cast<char*>(t.thread_locals) + variable.offset - 1;
}
