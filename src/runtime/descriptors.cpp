#include "runtime/descriptors.hpp"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/race.hpp"
#include "runtime/system_call.hpp"

namespace inspect::runtime {
namespace {

// Where each thread's descriptors stand: main's first, small ones for the first threads (select() takes no number over 1023),
// then wide slices. The runtime's own stand at 900 and above, and above everything.
constexpr unsigned kMainEnd = 448, kSmallThreads = 14, kSmallSlice = 32, kRuntimeBegin = kMainEnd + kSmallThreads * kSmallSlice;
constexpr unsigned kWide = 1024, kWideSlice = 256;
constexpr unsigned kMainMore = kWide + kWideSlice * INSPECT_MAX_THREADS, kOwn = 44032;
static_assert(kRuntimeBegin <= 900 && kMainMore < kOwn && kOwn + 1024 <= INSPECT_MAX_DESCRIPTORS);

[[noreturn]] void used_up(std::uint32_t site) {
  report_limit(INSPECT_LIMIT_MEMORY, "the descriptors of a thread are used up: numbers are not used again", site);
}

unsigned number_of(unsigned thread, unsigned count, std::uint32_t site) {
  if (thread == 0) {
    if (3 + count < kMainEnd) return 3 + count;
    count -= kMainEnd - 3;
    if (kMainMore + count >= kOwn) used_up(site);
    return kMainMore + count;
  }
  if (thread <= kSmallThreads) {
    if (count < kSmallSlice) return kMainEnd + (thread - 1) * kSmallSlice + count;
    count -= kSmallSlice;
  }
  if (count >= kWideSlice) used_up(site);
  return kWide + thread * kWideSlice + count;
}

bool several_threads() { return active() && state().created > 1; }

// The number for the current thread's next descriptor.
int next_number(std::uint32_t site) {
  DescriptorTable& t = descriptors();
  const std::uint8_t self = current_thread();
  for (int standard = 0; standard < 3; ++standard)
    if (!t.open_file[standard])
      report_unsupported("a descriptor opened after 0, 1 or 2 was closed, in a program with threads", site);
  if (!t.numbered) {  // main's single-threaded past used the kernel's numbers
    t.numbered = true;
    t.opened[0] = t.end > 3 ? t.end - 3 : 0;
  }
  return int(number_of(self, t.opened[self]++, site));
}

int move_to(int raw, int number, std::uint32_t site) {
  if (raw == number) return number;
  const long flags = system_call(SYS_fcntl, raw, F_GETFD);
  const long moved = system_call(SYS_dup3, raw, number, flags & FD_CLOEXEC ? O_CLOEXEC : 0);
  system_call(SYS_close, raw);
  if (moved < 0) report_limit(INSPECT_LIMIT_MEMORY, "the system's limit of open files is too low (ulimit -n)", site);
  return number;
}

void enter(int fd, unsigned file) {
  DescriptorTable& t = descriptors();
  state().descriptors_touched = true;
  t.open_file[fd] = std::uint16_t(file + 1);
  ++t.files[file].references;
  if (unsigned(fd) + 1 > t.end) t.end = unsigned(fd) + 1;
  if (fd < 3) t.changed_standard = true;
}

// The descriptor that gives the open file its number was closed, a duplicate keeps the file open, and the number is used again.
unsigned spare_file(std::uint32_t site) {
  const DescriptorTable& t = descriptors();
  for (unsigned file = kOwn; file < INSPECT_MAX_DESCRIPTORS; ++file)
    if (!t.files[file].references) return file;
  used_up(site);
}

void make_standard(unsigned fd, OpenKind kind) {
  DescriptorTable& t = descriptors();
  t.files[fd] = {.kind = kind,
                 .nonblocking = false,
                 .adopted = true,
                 .references = 1,
                 .object = std::uint16_t(fd),
                 .content = -1,
                 .flags = fd ? O_WRONLY : O_RDONLY,
                 .path = 0,
                 .offset_at_boot = 0};
  t.open_file[fd] = std::uint16_t(fd + 1);
}

// Descriptors that the program's constructors opened, or that it inherited.
OpenFile* adopt(int fd) {
  struct stat status{};
  if (unsigned(fd) >= kMainEnd || system_call(SYS_fstat, fd, reinterpret_cast<long>(&status)) < 0) return nullptr;
  DescriptorTable& t = descriptors();
  const long flags = system_call(SYS_fcntl, fd, F_GETFL);
  const bool readable_file = S_ISREG(status.st_mode) && (flags & O_ACCMODE) == O_RDONLY;
  OpenFile& f = t.files[fd];
  f = {.kind = readable_file ? OpenKind::input : OpenKind::outside,
       .nonblocking = (flags & O_NONBLOCK) != 0,
       .adopted = true,
       .references = 0,
       .object = std::uint16_t(fd),
       .content = -1,
       .flags = int(flags),
       .path = 0,
       .offset_at_boot = readable_file ? system_call(SYS_lseek, fd, 0, SEEK_CUR) : -1};
  enter(fd, unsigned(fd));
  return &f;
}

void restore_standard() {
  State& s = state();
  DescriptorTable& t = descriptors();
  if (t.changed_standard) {
    system_call(SYS_dup2, t.saved_input, 0);
    system_call(SYS_dup2, s.output_open ? s.output_descriptor : s.null_descriptor, 1);
    system_call(SYS_dup2, s.output_open ? s.error_descriptor : s.null_descriptor, 2);
  }
  if (t.input_used && t.input_offset >= 0) system_call(SYS_lseek, 0, t.input_offset, SEEK_SET);
  t.changed_standard = t.input_used = false;
}

}  // namespace

OpenFile* open_file(int fd) {
  DescriptorTable& t = descriptors();
  if (unsigned(fd) >= INSPECT_MAX_DESCRIPTORS) return nullptr;
  if (t.open_file[fd]) return &t.files[t.open_file[fd] - 1];
  return fd > 2 && unsigned(fd) >= t.end ? adopt(fd) : nullptr;
}

bool is_program_descriptor(int fd) { return fd < int(kOwn) && (fd < int(kRuntimeBegin) || fd >= int(kWide)); }

void add_descriptor_at(int fd, OpenKind kind, std::int32_t content, int flags, std::uint32_t site) {
  DescriptorTable& t = descriptors();
  const unsigned file = t.files[fd].references ? spare_file(site) : unsigned(fd);
  t.files[file] = {.kind = kind,
                   .nonblocking = (flags & O_NONBLOCK) != 0,
                   .adopted = false,
                   .references = 0,
                   .object = std::uint16_t(file),
                   .content = content,
                   .flags = flags,
                   .path = 0,
                   .offset_at_boot = -1};
  enter(fd, file);
}

int add_descriptor(int raw, OpenKind kind, std::int32_t content, int flags, std::uint32_t site) {
  const int fd = several_threads() ? move_to(raw, next_number(site), site) : raw;
  if (unsigned(fd) >= kOwn || (!several_threads() && unsigned(fd) >= kMainEnd)) used_up(site);
  add_descriptor_at(fd, kind, content, flags, site);
  return fd;
}

int add_duplicate(int raw, OpenFile& file, int at, std::uint32_t site) {
  const int wanted = at >= 0 ? at : several_threads() ? next_number(site) : raw;
  if (!is_program_descriptor(wanted)) used_up(site);
  if (at >= 0) drop_descriptor(at, false);  // dup2 closes it in the kernel
  const int fd = move_to(raw, wanted, site);
  enter(fd, unsigned(&file - descriptors().files));
  return fd;
}

void drop_descriptor(int fd, bool close_it) {
  DescriptorTable& t = descriptors();
  OpenFile* const f = open_file(fd);
  if (!f) return;
  state().descriptors_touched = true;
  if (fd < 3) t.changed_standard = true;
  if (close_it && (fd < 3 || !f->adopted)) system_call(SYS_close, fd);
  t.open_file[fd] = 0;
  --f->references;
}

void replace_behind(const OpenFile& file, int raw) {
  DescriptorTable& t = descriptors();
  const auto number = std::uint16_t(&file - t.files + 1);
  for (unsigned fd = 0; fd < t.end; ++fd) {
    if (t.open_file[fd] != number) continue;
    const long flags = system_call(SYS_fcntl, fd, F_GETFD);
    system_call(SYS_dup3, raw, fd, flags & FD_CLOEXEC ? O_CLOEXEC : 0);
  }
  system_call(SYS_close, raw);
}

int keep_out_of_the_way(int raw) {
  long kept = system_call(SYS_fcntl, raw, F_DUPFD_CLOEXEC, kOwn);
  if (kept < 0) kept = system_call(SYS_fcntl, raw, F_DUPFD_CLOEXEC, kRuntimeBegin);  // few descriptors are allowed: make do
  if (kept < 0 || (kept >= kWide && kept < kOwn))
    report_limit(INSPECT_LIMIT_MEMORY, "the system's limit of open files is too low (ulimit -n)", 0);
  system_call(SYS_close, raw);
  return int(kept);
}

void boot_descriptors() {
  DescriptorTable& t = descriptors();
  rlimit limit{};
  system_call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, reinterpret_cast<long>(&limit));
  if (limit.rlim_cur < INSPECT_MAX_DESCRIPTORS) {
    limit.rlim_cur = limit.rlim_max < INSPECT_MAX_DESCRIPTORS ? limit.rlim_max : INSPECT_MAX_DESCRIPTORS;
    system_call(SYS_prlimit64, 0, RLIMIT_NOFILE, reinterpret_cast<long>(&limit), 0);
  }
  make_standard(0, OpenKind::input);
  make_standard(1, OpenKind::output);
  make_standard(2, OpenKind::output);
  t.end = 3;
  if (state().standalone) return;
  t.saved_input = int(system_call(SYS_fcntl, 0, F_DUPFD_CLOEXEC, 900));
  t.input_offset = system_call(SYS_lseek, 0, 0, SEEK_CUR);
}

void reset_descriptors() {
  DescriptorTable& t = descriptors();
  restore_standard();
  for (unsigned fd = 3; fd < t.end; ++fd) {
    if (!t.open_file[fd]) continue;
    const OpenFile& f = t.files[t.open_file[fd] - 1];
    if (!f.adopted)
      system_call(SYS_close, fd);
    else if (f.offset_at_boot >= 0)
      system_call(SYS_lseek, fd, f.offset_at_boot, SEEK_SET);
  }
  memset(t.open_file, 0, t.end * sizeof *t.open_file);
  for (unsigned fd = 0; fd < t.end; ++fd) t.files[fd].references = 0;
  for (unsigned file = kOwn; t.files[file].kind != OpenKind::none && file < INSPECT_MAX_DESCRIPTORS; ++file) t.files[file] = {};
  make_standard(0, OpenKind::input);
  make_standard(1, OpenKind::output);
  make_standard(2, OpenKind::output);
  t.end = 3;
  if (t.numbered) memset(t.opened, 0, sizeof t.opened);
  t.numbered = false;
}

FileStep::FileStep(inspect_kind kind, std::uint64_t object, std::uint64_t object2, std::uint32_t site, Guard guard)
    : shared_(several_threads() || (guard && active())) {
  if (!shared_) return;
  Operation o = operation(kind, reinterpret_cast<void*>(object), object ? 64 : 0, site);
  o.object2 = object2;
  o.size2 = object2 ? 64 : 0;
  alternative_ = visible(o, guard);
  const std::uint8_t self = current_thread();
  if (object) race_acquire(self, object);
  if (object && inspect_writes(&o)) race_release(self, object);
  if (!object2) return;
  race_acquire(self, object2);
  race_release(self, object2);
}

void FileStep::done(bool failed, std::uint64_t result) {
  if (shared_) executed(failed ? INSPECT_FLAG_FAILED : 0, result);
}

long with_errno(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = int(-result);
  return -1;
}

}  // namespace inspect::runtime
