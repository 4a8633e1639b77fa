#include "runtime/memory/snapshot.hpp"
#include "runtime/memory/module.hpp"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "runtime/memory/arena.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/platform/system_call.hpp"

// Section bounds that the linker provides when the section exists.
extern "C" {
extern const char __start_inspect_not_state[] __attribute__((weak, visibility("hidden")));
extern const char __stop_inspect_not_state[] __attribute__((weak, visibility("hidden")));
extern const char __start_inspect_externals[] __attribute__((weak, visibility("hidden")));
extern const char __stop_inspect_externals[] __attribute__((weak, visibility("hidden")));
}

namespace inspect::runtime {
namespace {

constexpr unsigned kMaxSegments = 256;

constexpr std::size_t kManyPages = 1 << 20;         // bytes from which on it is asked which pages are there
constexpr std::size_t kPage = 4096, kAsked = 8192;  // pages at a time

struct Segment {
  char* address;
  std::size_t size;
  std::size_t in_file;  // bytes of it; the rest is zero until it is written
  char* copy;
  Excluded bindings;
};
struct SegmentTable {
  std::uint64_t pages[kAsked], copies[kAsked];  // as the kernel tells of each
  Segment segments[kMaxSegments];
  unsigned count;
  std::size_t copied;
  char* main_locals;  // copy of main's thread-locals at the snapshot, null if it had none
};
SegmentTable& table() { return *reinterpret_cast<SegmentTable*>(kSegmentsBase); }

// Inline copy: the library's own memcpy must not be called while its data is being replaced.
void copy(void* to, const void* from, std::size_t size) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size)::"memory");
}

char* room_for(std::size_t size) {
  SegmentTable& t = table();
  char* const to = reinterpret_cast<char*>(kSegmentsBase + ((sizeof(SegmentTable) + 4095) & ~4095ul) + t.copied);
  const std::size_t rounded = (size + 4095) & ~4095ul;
  map_zeroed(reinterpret_cast<std::uintptr_t>(to), rounded);
  t.copied += rounded;
  return to;
}

char* keep(const void* from, std::size_t size) {
  char* const to = room_for(size);
  copy(to, from, size);
  return to;
}

// What the kernel says of pages from that address on; how many it spoke of.
long ask(long file, std::uintptr_t at, std::size_t pages, std::uint64_t* to) {
  return system_call(SYS_pread64, file, reinterpret_cast<long>(to), long(pages * 8), long(at / kPage * 8)) / 8;
}

// Calls f(offset, bytes) for all of a segment but zeroed pages that nothing has touched, now or when the copy was made: a large
// array is mostly such.
template <class F>
void for_each_touched(const Segment& s, F&& f) {
  const auto begin = reinterpret_cast<std::uintptr_t>(s.address), end = begin + s.size;
  std::uintptr_t at = (begin + s.in_file + kPage - 1) & ~(kPage - 1);
  if (at >= end || end - at < kManyPages) return f(std::size_t(0), s.size);
  const long file = system_call(SYS_openat, -100, reinterpret_cast<long>("/proc/self/pagemap"), 02000000);
  std::uintptr_t known = begin;  // touched from there on
  while (at < end) {
    const std::size_t left = (end - at + kPage - 1) / kPage, wanted = left < kAsked ? left : kAsked;
    const long got = ask(file, at, wanted, table().pages);
    if (got <= 0 || ask(file, reinterpret_cast<std::uintptr_t>(s.copy) + (at - begin), wanted, table().copies) != got) break;
    for (long i = 0; i < got; ++i, at += kPage) {
      const bool is_there = (table().pages[i] | table().copies[i]) >> 62;  // in memory, or on disk
      if (is_there && known == 0) known = at;
      if (is_there || known == 0) continue;
      f(known - begin, at - known);
      known = 0;
    }
  }
  if (at < end && known == 0) known = at;  // nobody says
  if (known) f(known - begin, end - known);
  if (file >= 0) system_call(SYS_close, file);
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
    const std::uintptr_t file_end = begin + header.p_filesz;
    if (relro && relro <= begin + 4095 && relro_end > begin) begin = relro_end;  // read-only by now
    if (end <= begin) continue;
    if (table().count == kMaxSegments) return 1;
    table().segments[table().count++] = {reinterpret_cast<char*>(begin), end - begin, file_end > begin ? file_end - begin : 0,
                                         nullptr, bindings_of(*info)};
  }
  return 0;
}

}  // namespace

const char* take_snapshot() {
  map_zeroed(kSegmentsBase, sizeof(SegmentTable));
  State& s = state();
  if (dl_iterate_phdr(find_segments, nullptr)) return "the program has too many libraries to restore their data";
  errno = 0;  // as each thread finds it (C17 7.5)
  if (!capture_tls_images()) return "the libraries' thread-local storage is larger than 1024 bytes";
  if (s.threads[0].thread_locals) table().main_locals = keep(s.threads[0].thread_locals, modules().tls_variables_size);
  arena_snapshot();
  SegmentTable& t = table();
  for (unsigned i = 0; i < t.count; ++i) {
    Segment& segment = t.segments[i];
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(segment.address) % kPage;  // page for page
    segment.copy = room_for(segment.size + offset) + offset;
    for_each_touched(segment, [&](std::size_t at, std::size_t size) { copy(segment.copy + at, segment.address + at, size); });
  }
  return nullptr;
}

unsigned writable_count() { return table().count; }
WritableData writable(unsigned i) {
  const Segment& s = table().segments[i];
  return {s.address, s.size, s.copy, s.bindings};
}

unsigned excluded(const WritableData& data, Excluded (&parts)[3]) {
  unsigned n = 0;
  if (__start_inspect_not_state) parts[n++] = {__start_inspect_not_state, __stop_inspect_not_state};
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
  for (unsigned i = 0; i < s.execution.thread_limit; ++i)
    if (s.threads[i].thread_locals) memset(s.threads[i].thread_locals, 0, modules().tls_variables_size);
  for (unsigned i = 0; i < t.count; ++i) {
    const Segment& segment = t.segments[i];
    for_each_touched(segment, [&](std::size_t at, std::size_t size) { copy(segment.address + at, segment.copy + at, size); });
  }
  arena_reset();
  restore_initial_tls();
  for (unsigned i = 0; i < s.execution.thread_limit; ++i) {
    s.threads[i].status = ThreadStatus::unused;
    s.threads[i].thread_locals = nullptr;
  }
  if (t.main_locals) {
    s.threads[0].thread_locals = reinterpret_cast<void*>(kThreadLocalsBase);
    copy(s.threads[0].thread_locals, t.main_locals, modules().tls_variables_size);
  }
}

}  // namespace inspect::runtime
