#include "runtime/snapshot.hpp"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "runtime/arena.hpp"
#include "runtime/exit_handlers.hpp"
#include "runtime/fiber.hpp"
#include "runtime/stack_objects.hpp"
#include "runtime/system_call.hpp"

// Section bounds that the linker provides when the section exists.
extern "C" {
extern const char __start_inspect_noise[] __attribute__((weak, visibility("hidden")));
extern const char __stop_inspect_noise[] __attribute__((weak, visibility("hidden")));
extern const char __start_inspect_externals[] __attribute__((weak, visibility("hidden")));
extern const char __stop_inspect_externals[] __attribute__((weak, visibility("hidden")));
}

namespace inspect::runtime {
namespace {

constexpr std::uintptr_t kSegments = 0x207000000000;  // SegmentTable, then the copies
constexpr unsigned kMaxSegments = 256;

struct Segment {
  char* address;
  std::size_t size;
  char* copy;
  Excluded bindings;
};
struct SegmentTable {
  Segment segments[kMaxSegments];
  unsigned count;
  std::size_t copied;
  char* main_locals;  // copy of main's thread-locals at the snapshot, null if it had none
};
SegmentTable& table() { return *reinterpret_cast<SegmentTable*>(kSegments); }

// Inline copy: the library's own memcpy must not be called while its data is being replaced.
void copy(void* to, const void* from, std::size_t size) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size)::"memory");
}

char* keep(const void* from, std::size_t size) {
  SegmentTable& t = table();
  char* const to = reinterpret_cast<char*>(kSegments + ((sizeof(SegmentTable) + 4095) & ~4095ul) + t.copied);
  const std::size_t rounded = (size + 4095) & ~4095ul;
  map_zeroed(reinterpret_cast<std::uintptr_t>(to), rounded);
  t.copied += rounded;
  copy(to, from, size);
  return to;
}

// Where the loader notes functions that it finds at their first call: in itself and in those that call them.
Excluded bindings_of(const dl_phdr_info& info) {
  const char* table = nullptr;
  std::size_t count = 0;
  for (int k = 0; k < info.dlpi_phnum; ++k) {
    if (info.dlpi_phdr[k].p_type != PT_DYNAMIC) continue;
    for (const auto* d = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[k].p_vaddr); d->d_tag; ++d) {
      if (d->d_tag == DT_PLTGOT) table = reinterpret_cast<const char*>(d->d_un.d_ptr);
      if (d->d_tag == DT_PLTRELSZ) count = d->d_un.d_val / sizeof(ElfW(Rela));
    }
  }
  if (info.dlpi_addr == getauxval(AT_BASE)) return {nullptr, reinterpret_cast<const char*>(~0ul)};  // the loader's own data
  constexpr std::size_t kLoaders = 3;  // entries that are the loader's own
  return table && count ? Excluded{table, table + (kLoaders + count) * sizeof(void*)} : Excluded{nullptr, nullptr};
}

int find_segments(dl_phdr_info* info, std::size_t, void*) {
  std::uintptr_t relro = 0, relro_end = 0;
  for (int k = 0; k < info->dlpi_phnum; ++k)
    if (info->dlpi_phdr[k].p_type == PT_GNU_RELRO) {
      relro = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
      relro_end = (relro + info->dlpi_phdr[k].p_memsz) & ~4095ul;
    }
  for (int k = 0; k < info->dlpi_phnum; ++k) {
    const auto& header = info->dlpi_phdr[k];
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_W)) continue;
    std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    const std::uintptr_t end = begin + header.p_memsz;
    if (relro && relro <= begin + 4095 && relro_end > begin) begin = relro_end;  // read-only by now
    if (end <= begin) continue;
    if (table().count == kMaxSegments) return 1;
    table().segments[table().count++] = {reinterpret_cast<char*>(begin), end - begin, nullptr, bindings_of(*info)};
  }
  return 0;
}

}  // namespace

void* allocate_thread_locals(unsigned thread, std::size_t size) {
  void* const at = reinterpret_cast<void*>(kThreadLocalsBase + thread * kThreadLocalsSlice);
  map_zeroed(reinterpret_cast<std::uintptr_t>(at), size + 1);
  return at;
}

const char* take_snapshot() {
  map_zeroed(kSegments, sizeof(SegmentTable));
  State& s = state();
  if (dl_iterate_phdr(find_segments, nullptr)) return "the program has too many libraries to restore their data";
  errno = 0;  // as each thread finds it (C17 7.5)
  if (!capture_tls_images()) return "the libraries' thread-local storage is larger than 1024 bytes";
  if (s.threads[0].thread_locals) table().main_locals = keep(s.threads[0].thread_locals, s.tls_variables_size);
  arena_snapshot();
  exit_handlers_snapshot();
  s.key_count_at_boot = s.key_count;
  memcpy(s.key_deleted_at_boot, s.key_deleted, sizeof s.key_deleted);
  memcpy(s.key_destructors_at_boot, s.key_destructors, sizeof s.key_destructors);
  SegmentTable& t = table();
  for (unsigned i = 0; i < t.count; ++i) t.segments[i].copy = keep(t.segments[i].address, t.segments[i].size);
  return nullptr;
}

unsigned writable_count() { return table().count; }
WritableData writable(unsigned i) {
  const Segment& s = table().segments[i];
  return {s.address, s.size, s.copy, s.bindings};
}

unsigned excluded(const WritableData& data, Excluded (&parts)[3]) {
  unsigned n = 0;
  if (__start_inspect_noise) parts[n++] = {__start_inspect_noise, __stop_inspect_noise};
  if (__start_inspect_externals) parts[n++] = {__start_inspect_externals, __stop_inspect_externals};
  if (data.bindings.end) parts[n++] = data.bindings;
  for (unsigned i = 1; i < n; ++i)
    for (unsigned k = i; k > 0 && parts[k].begin < parts[k - 1].begin; --k) {
      const Excluded part = parts[k];
      parts[k] = parts[k - 1];
      parts[k - 1] = part;
    }
  return n;
}

void restore() {
  State& s = state();
  const SegmentTable& t = table();
  zero_used_stacks();
  reset_stack_objects();
  for (unsigned i = 0; i < s.thread_limit; ++i)
    if (s.threads[i].thread_locals) memset(s.threads[i].thread_locals, 0, s.tls_variables_size);
  for (unsigned i = 0; i < t.count; ++i) copy(t.segments[i].address, t.segments[i].copy, t.segments[i].size);
  arena_reset();
  restore_initial_tls();
  for (unsigned i = 0; i < s.thread_limit; ++i) {
    s.threads[i].status = ThreadStatus::unused;
    s.threads[i].thread_locals = nullptr;
  }
  if (t.main_locals) {
    s.threads[0].thread_locals = reinterpret_cast<void*>(kThreadLocalsBase);
    copy(s.threads[0].thread_locals, t.main_locals, s.tls_variables_size);
  }
  s.key_count = s.key_count_at_boot;
  memcpy(s.key_deleted, s.key_deleted_at_boot, sizeof s.key_deleted);
  memcpy(s.key_destructors, s.key_destructors_at_boot, sizeof s.key_destructors);
  exit_handlers_restore();
}

}  // namespace inspect::runtime
