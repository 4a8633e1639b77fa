#include "runtime/environment/mappings.hpp"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/environment/file_names.hpp"
#include "runtime/environment/files.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/environment_ready.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

constexpr std::size_t kPage = 4096;

// Other memory (heap, stacks) whose protection the program changed.
struct Protected {
  std::uintptr_t begin;
  std::size_t size;
};
struct MappingTable {
  std::uintptr_t used[INSPECT_MAX_THREADS];  // bytes of the thread's slice handed out so far
  bool any, shared;                          // shared: one that the kernel does not copy with the process
  Protected changed[256];
  unsigned changed_count;
};
MappingTable& mappings() { return *reinterpret_cast<MappingTable*>(kMappings); }

std::size_t pages(std::size_t size) { return (size + kPage - 1) & ~(kPage - 1); }

bool is_mapped_here(std::uintptr_t begin, std::size_t size) {
  const std::uintptr_t at = begin - kMappedBase;
  if (at >= kMappedSlice * INSPECT_MAX_THREADS) return false;
  const std::size_t thread = at / kMappedSlice;
  return at - thread * kMappedSlice + size <= mappings().used[thread];
}

bool is_own_memory(std::uintptr_t begin, std::size_t size) {
  return is_mapped_here(begin, size) || begin - kArenaBase < kArenaBytes ||
         begin - kStackBase < kStackSlot * INSPECT_MAX_THREADS;
}

// A place that was never used, one unmapped page after the last. 64 KB apart, so that large mappings may get large pages.
std::uintptr_t take_place(std::size_t size, std::uint32_t site) {
  MappingTable& m = mappings();
  State& s = state();
  const std::uint8_t thread = current_thread();
  const std::size_t needed = (pages(size) + kPage + 0xffff) & ~0xfffful;
  if (needed > kMappedSlice || m.used[thread] + needed > kMappedSlice)
    report_limit(INSPECT_LIMIT_MEMORY, "the address space for a thread's mappings is used up: addresses are not used again",
                 site);
  const std::uintptr_t at = kMappedBase + thread * kMappedSlice + m.used[thread];
  m.used[thread] += needed;
  m.any = s.descriptors_touched = true;
  return at;
}

// What the kernel does to memory in one call counts as an access of the program to all of it.
void touch(std::uintptr_t begin, std::size_t size, bool write, std::uint32_t site) {
  const State& s = state();
  if (s.recording && s.channel->configuration.races_go_on && !s.current->atomic_depth) step_of_access(begin, size, write, site);
  if (s.recording && !race_access(current_thread(), begin, size, write, site)) report_race();
  tell_access(begin, size, write, site);
}

// The descriptor of a mapped file; false and *error when it cannot be mapped.
bool check_file(int fd, int protection, int flags, int* error, std::uint32_t site) {
  FileUse f(fd, site);
  *error = f ? 0 : EBADF;
  if (!f) return false;
  if (f->kind == OpenKind::device || f->kind == OpenKind::input) return true;
  if (f->kind != OpenKind::file || f->content < 0) return *error = ENODEV, false;
  if ((flags & MAP_TYPE) != MAP_PRIVATE && protection & PROT_WRITE)
    report_unsupported("mmap: a shared writable mapping of a file", site);
  FileStep step = content_step(*f, Direction::read, Place::given, site);
  if (content_at(f->content).copy >= 0 && f->flags & (O_WRONLY | O_RDWR) && (flags & MAP_TYPE) != MAP_PRIVATE)
    report_unsupported("mmap: a shared mapping of a file that the program writes", site);
  content_at(f->content).mapped = true;
  step.done();
  return true;
}

// As mmap is asked for one.
struct Wanted {
  void* at;
  std::size_t size;
  int protection, flags, fd;
  off_t offset;
};

void* map(const Wanted& w, std::uint32_t site) {
  const auto [wanted, size, protection, flags, fd, offset] = w;
  const auto kernel = [&](void* at, int how) {
    const long result = system_call(SYS_mmap, reinterpret_cast<long>(at), long(size), protection, how, fd, offset);
    return result < 0 && result > -4096 ? (errno = int(-result), MAP_FAILED) : reinterpret_cast<void*>(result);
  };
  if (environment_is_real()) return kernel(wanted, flags);
  if (!size) return errno = EINVAL, MAP_FAILED;
  if (flags & (MAP_32BIT | MAP_GROWSDOWN))
    report_unsupported("mmap: a mapping in the low addresses, or one that grows down", site);
  int error = 0;
  if (!(flags & MAP_ANONYMOUS) && !check_file(fd, protection, flags, &error, site)) return errno = error, MAP_FAILED;
  mappings().shared |= (flags & MAP_TYPE) != MAP_PRIVATE;
  const int how = (flags & ~(MAP_HUGETLB | MAP_FIXED_NOREPLACE | MAP_LOCKED)) | MAP_FIXED | MAP_NORESERVE;
  if (!(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))) return kernel(reinterpret_cast<void*>(take_place(size, site)), how);
  const auto begin = reinterpret_cast<std::uintptr_t>(wanted);
  if (flags & MAP_FIXED_NOREPLACE || !is_mapped_here(begin, size))
    report_unsupported("mmap: a place that the program chooses outside its own mappings", site);
  touch(begin, size, true, site);
  return kernel(wanted, how);
}

int unmap(void* address, std::size_t size, std::uint32_t site) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (!environment_is_real()) {
    if (!size || begin % kPage) return errno = EINVAL, -1;
    if (!is_mapped_here(begin, size)) report_unsupported("munmap of memory that mmap did not return", site);
    touch(begin, size, true, site);
  }
  return int(with_errno(system_call(SYS_munmap, long(begin), long(size))));
}

void* remap(void* address, std::size_t old_size, std::size_t size, int flags, std::uint32_t site) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (flags & MREMAP_FIXED || !old_size || !is_mapped_here(begin, old_size))
    report_unsupported("mremap: only growing and shrinking are modelled", site);
  touch(begin, old_size, true, site);
  if (pages(size) <= pages(old_size)) {
    if (pages(size) < pages(old_size)) system_call(SYS_munmap, long(begin + pages(size)), long(pages(old_size) - pages(size)));
    return address;
  }
  if (!(flags & MREMAP_MAYMOVE)) return errno = ENOMEM, MAP_FAILED;
  const std::uintptr_t place = take_place(size, site);
  const long moved =
      system_call(SYS_mremap, long(begin), long(old_size), long(size), MREMAP_MAYMOVE | MREMAP_FIXED, long(place));
  return moved < 0 ? (errno = int(-moved), MAP_FAILED) : reinterpret_cast<void*>(moved);
}

int protect(void* address, std::size_t size, int protection, std::uint32_t site) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (environment_is_real()) return int(with_errno(system_call(SYS_mprotect, long(begin), long(size), protection)));
  const bool is_mapped = is_mapped_here(begin, size);
  if (!is_mapped && !is_own_memory(begin, size))
    report_unsupported("mprotect of memory that is neither heap, stack nor mapped by the program", site);
  // An access that may fail before it, or behind it, has a race with it: any, but for reads of what stays readable.
  touch(begin, size, !(protection & PROT_READ) || protection & PROT_WRITE, site);
  if (!is_mapped) {
    MappingTable& m = mappings();
    if (m.changed_count == sizeof m.changed / sizeof *m.changed)
      report_limit(INSPECT_LIMIT_MEMORY, "more than 256 calls of mprotect", site);
    m.changed[m.changed_count++] = {begin, size};
    m.any = state().descriptors_touched = true;
  }
  return int(with_errno(system_call(SYS_mprotect, long(begin), long(size), protection)));
}

int advise(void* address, std::size_t size, int advice, std::uint32_t site) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (environment_is_real()) return int(with_errno(system_call(SYS_madvise, long(begin), long(size), advice)));
  const bool drops = advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
  if (!drops) return 0;
  if (!is_own_memory(begin, size)) report_unsupported("madvise that drops memory not mapped by the program", site);
  touch(begin, size, true, site);
  return int(with_errno(system_call(SYS_madvise, long(begin), long(size), MADV_DONTNEED)));
}

}  // namespace

void reset_mappings() {
  MappingTable& m = mappings();
  if (!m.any) return;
  for (unsigned t = 0; t < INSPECT_MAX_THREADS; ++t) {
    if (!m.used[t]) continue;
    system_call(SYS_munmap, long(kMappedBase + t * kMappedSlice), long(m.used[t]));
    m.used[t] = 0;
  }
  for (unsigned i = 0; i < m.changed_count; ++i)
    system_call(SYS_mprotect, long(m.changed[i].begin), long(m.changed[i].size), PROT_READ | PROT_WRITE);
  m.changed_count = 0;
  m.any = m.shared = false;
}

bool has_shared_mappings() { return mappings().shared; }

}  // namespace inspect::runtime

using namespace inspect::runtime;

#define SITE INSPECT_CALLER_SITE()
INSPECT_EXPORT void* mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset) noexcept {
  return map({at, size, protection, flags, fd, offset}, SITE);
}
INSPECT_EXPORT void* mmap64(void* at, size_t size, int protection, int flags, int fd, off_t offset) noexcept {
  return map({at, size, protection, flags, fd, offset}, SITE);
}
INSPECT_EXPORT int munmap(void* at, size_t size) noexcept { return unmap(at, size, SITE); }
INSPECT_EXPORT void* mremap(void* at, size_t old_size, size_t size, int flags, ...) noexcept {
  va_list arguments;
  va_start(arguments, flags);
  void* const place = flags & MREMAP_FIXED ? va_arg(arguments, void*) : nullptr;
  va_end(arguments);
  if (!environment_is_real()) return remap(at, old_size, size, flags, SITE);
  const long moved =
      system_call(SYS_mremap, reinterpret_cast<long>(at), long(old_size), long(size), flags, reinterpret_cast<long>(place));
  return moved < 0 && moved > -4096 ? (errno = int(-moved), MAP_FAILED) : reinterpret_cast<void*>(moved);
}
INSPECT_EXPORT int mprotect(void* at, size_t size, int protection) noexcept { return protect(at, size, protection, SITE); }
INSPECT_EXPORT int madvise(void* at, size_t size, int advice) noexcept { return advise(at, size, advice, SITE); }
INSPECT_EXPORT int posix_madvise(void*, size_t, int) noexcept { return 0; }
INSPECT_EXPORT int msync(void*, size_t, int) { return cancellation_point(INSPECT_CALLER_SITE()), 0; }
INSPECT_EXPORT int mlock(const void*, size_t) noexcept { return 0; }
INSPECT_EXPORT int mlock2(const void*, size_t, unsigned) noexcept { return 0; }
INSPECT_EXPORT int munlock(const void*, size_t) noexcept { return 0; }
INSPECT_EXPORT int mlockall(int) noexcept { return 0; }
INSPECT_EXPORT int munlockall(void) noexcept { return 0; }
// A file without a name is what it gives.
INSPECT_EXPORT int memfd_create(const char* name, unsigned flags) noexcept {
  if (environment_is_real()) return int(with_errno(system_call(SYS_memfd_create, reinterpret_cast<long>(name), flags)));
  return open_unnamed(SITE);
}
