#include "runtime/environment/files.hpp"
#include "runtime/environment/output.hpp"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/environment/file_names.hpp"
#include "runtime/environment/pipes.hpp"
#include "runtime/environment/random.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/environment_ready.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

constexpr std::size_t kRandomBytes = 1 << 20;  // that one open of /dev/urandom can give

bool for_writing(int flags) { return (flags & O_ACCMODE) != O_RDONLY; }

// What an open changed beside making a descriptor.
struct Opened {
  long raw;  // the kernel's descriptor, or a negative error number
  OpenKind kind;
  std::int32_t content;
  bool changed;
};

Opened create_file(Found& found, int flags, mode_t mode) {
  if (!(flags & O_CREAT)) return {-ENOENT, OpenKind::none, -1, false};
  if (const int error = check_parent(found)) return {-error, OpenKind::none, -1, false};
  const std::int32_t content = new_content(found.path, S_IFREG | (mode & 07777 & ~file_names().mask));
  content_at(content).copy = memory_file("inspect-file");
  change_name(found.path, NameKind::file).content = content;
  return {open_content(content, flags), OpenKind::file, content, true};
}

Opened open_file_found(Found& found, int flags) {
  if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) return {-EEXIST, OpenKind::none, -1, false};
  if (flags & O_DIRECTORY) return {-ENOTDIR, OpenKind::none, -1, false};
  const int access = flags & O_ACCMODE;
  const int wanted = access == O_RDONLY ? R_OK : access == O_WRONLY ? W_OK : R_OK | W_OK;
  if (const int error = check_permission(found, wanted)) return {-error, OpenKind::none, -1, false};
  const std::int32_t content = content_of(found);
  if (for_writing(flags))
    if (const int error = make_private(content)) return {-error, OpenKind::none, -1, false};
  return {open_content(content, flags), OpenKind::file, content, false};
}

Opened open_random(int flags) {
  const int copy = memory_file("inspect-random");
  char block[4096];
  for (std::size_t done = 0; done < kRandomBytes; done += sizeof block) {
    fill_random(block, sizeof block);
    system_call(SYS_write, copy, reinterpret_cast<long>(block), sizeof block);
  }
  const std::int32_t content = new_content("/dev/urandom", S_IFCHR | 0666);
  content_at(content).copy = copy;
  return {open_content(content, flags & O_CLOEXEC), OpenKind::file, content, false};
}

Opened open_found(Found& found, int flags, mode_t mode, std::uint32_t site) {
  const auto path = reinterpret_cast<long>(*found.path ? found.path : "/");
  switch (found.kind) {
    case NameKind::missing:
      return create_file(found, flags, mode);
    case NameKind::file:
      return open_file_found(found, flags);
    case NameKind::random:
      return open_random(flags);
    case NameKind::device:
      return {system_call(SYS_openat, AT_FDCWD, path, flags & ~(O_CREAT | O_EXCL)), OpenKind::device, -1, false};
    case NameKind::link:
      return {flags & O_NOFOLLOW ? -ELOOP : -EEXIST, OpenKind::none, -1, false};
    case NameKind::directory:
      if (for_writing(flags) || flags & O_CREAT) return {-EISDIR, OpenKind::none, -1, false};
      if (directory_changed(found.path)) report_unsupported("a directory is opened that the program changed", site);
      return {system_call(SYS_openat, AT_FDCWD, path, flags), OpenKind::directory, -1, false};
    default:
      report_unsupported(format_message("open of %s: such files are not modelled", found.path), site);
  }
}

int duplicate_named(int number, int flags, std::uint32_t site) {
  FileUse file(number, site);
  if (!file) return errno = ENOENT, -1;
  const long raw = system_call(SYS_fcntl, file.raw(), flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
  return raw < 0 ? int(with_errno(raw)) : add_duplicate(int(raw), *file, 0, site);
}

// What an existing file contained is dropped once it has been found: a step of its own.
void truncate_found(std::int32_t content, std::uint32_t site) {
  FileStep step(INSPECT_OP_FileOperation, object_of(content_at(content)), {}, site);
  if (content_at(content).mapped) report_unsupported("a file is truncated while it is mapped into memory", site);
  system_call(SYS_ftruncate, content_at(content).copy, 0);
  step.done();
}

std::size_t total(const Transfer& t) {
  if (!t.vector) return std::size_t(t.size);
  std::size_t sum = 0;
  const auto* const parts = reinterpret_cast<const iovec*>(t.buffer);
  for (long i = 0; i < t.size; ++i) sum += parts[i].iov_len;
  return sum;
}

long call(int fd, const Transfer& t) {
  return with_errno(system_call(t.number, fd, t.buffer, t.size, t.third, t.fourth, t.fifth));
}

// What a call with several buffers does to memory: the list of them is read, and each as far as bytes were moved.
void tell_parts(const iovec* parts, int count, long bytes, bool writes, std::uint32_t site) {
  for (int i = 0; i < count && bytes > 0; ++i) {
    const std::size_t part = std::size_t(bytes) < parts[i].iov_len ? std::size_t(bytes) : parts[i].iov_len;
    access_for_call(parts[i].iov_base, part, writes, site);
    bytes -= long(part);
  }
}

}  // namespace

int open_path(int directory, const char* path, int flags, mode_t mode, std::uint32_t site) {
  if (environment_is_real())
    return int(with_errno(system_call(SYS_openat, directory, reinterpret_cast<long>(path), flags, mode)));
  if ((flags & O_TMPFILE) == O_TMPFILE) return open_unnamed(site);
  if (flags & O_PATH) report_unsupported("open with O_PATH", site);
  Found& found = first_found();
  const bool exclusive = (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
  const bool follow = !(flags & O_NOFOLLOW) && !exclusive;
  if (flags & O_DIRECT) report_unsupported("open with O_DIRECT", site);
  const DirectoryUse base(directory, path, site);
  FileStep step(flags & O_CREAT ? INSPECT_OP_FileOperation : INSPECT_OP_FileRead, names_read(path, flags & O_CREAT), {}, site);
  const int error = find_name(base.number(), path, follow, found);
  if (error) return step.done(true), errno = error, -1;
  if (found.kind == NameKind::descriptor) return step.done(true), duplicate_named(found.descriptor, flags, site);
  const Opened opened = open_found(found, flags, mode, site);
  step.done(!opened.changed);
  if (opened.raw < 0) return int(with_errno(opened.raw));
  const int raw = set_aside(int(opened.raw));
  const std::uint32_t text = opened.kind == OpenKind::directory ? keep_text(found.path) : 0;
  const bool real = opened.kind == OpenKind::file && content_at(opened.content).copy < 0;
  const bool truncates = for_writing(flags) && (flags & O_TRUNC);
  if (opened.kind == OpenKind::file && truncates && !opened.changed) truncate_found(opened.content, site);
  const int fd = add_descriptor(raw, opened.kind, opened.content, flags & ~(O_CREAT | O_EXCL | O_TRUNC), site);
  if (opened.kind == OpenKind::directory) open_file(fd)->path = text;
  if (real && content_at(opened.content).copy >= 0) redirect_readers(opened.content);  // changed since it was found
  return fd;
}

int open_unnamed(std::uint32_t site) {
  const std::int32_t content = new_content("unnamed", S_IFREG | 0600);
  content_at(content).copy = memory_file("inspect-file");
  content_at(content).links = 0;
  const long raw = open_content(content, O_RDWR);
  return raw < 0 ? int(with_errno(raw)) : add_descriptor(int(raw), OpenKind::file, content, O_RDWR, site);
}

namespace {

// The number and what it stands for; of a pipe or socket, whose other end sees it, the open file too.
Objects closed_objects(int fd) {
  const OpenFile* const f = open_file(fd);
  const bool has_peer =
      f && (f->kind == OpenKind::pipe_reader || f->kind == OpenKind::pipe_writer || f->kind == OpenKind::socket);
  return has_peer ? hull(descriptor_objects(fd), object_of(*f)) : descriptor_objects(fd);
}

void close_label(const void* argument, Operation& o) {
  const int fd = *static_cast<const int*>(argument);
  const Objects closed = closed_objects(fd);
  o.object = closed.at;
  o.size = closed.size;
}

}  // namespace

int close_descriptor(int fd, std::uint32_t site) {
  if (!active() || (state().standalone && !is_modelled_pipe(fd))) return int(with_errno(system_call(SYS_close, fd)));
  if (!is_program_descriptor(fd)) return errno = EBADF, -1;
  const OpenFile* const before = open_file(fd);
  if (before && before->kind == OpenKind::output) use_output(fd, OutputUse::change, site);
  FileStep step(INSPECT_OP_FileOperation, {}, number_objects(fd, fd), site, nullptr, {close_label, &fd});
  const Objects closed = closed_objects(fd);
  const bool open = open_file(fd);
  if (closed.edge) order_along(closed.edge, true);
  drop_descriptor(fd, true);
  step.done_as(open ? INSPECT_OP_FileOperation : INSPECT_OP_FileRead, closed, open ? number_objects(fd, fd) : Objects());
  return open ? 0 : (errno = EBADF, -1);
}

FileStep content_step(OpenFile& file, Direction direction, Place place, std::uint32_t site) {
  const bool writes = direction == Direction::write;
  const std::uint64_t offset = place == Place::given && !writes ? 0 : object_of(file);
  if (file.content < 0) return FileStep(INSPECT_OP_FileOperation, offset, {}, site);
  if (writes && content_at(file.content).mapped) report_unsupported("a file is written while it is mapped into memory", site);
  return FileStep(writes ? INSPECT_OP_FileOperation : INSPECT_OP_FileRead, object_of(content_at(file.content)), offset, site);
}

namespace {

long transfer_open(int fd, FileUse& file, const Transfer& t, std::uint32_t site) {
  State& s = state();
  switch (file->kind) {
    case OpenKind::output:
      if (!t.writes) return errno = EBADF, -1;
      return output().open ? call(fd, t) : long(total(t));
    case OpenKind::input:
      descriptors().input_used = s.descriptors_touched = true;
      [[fallthrough]];
    case OpenKind::file: {
      FileStep step = content_step(*file, t.writes ? Direction::write : Direction::read,
                                   t.positioned ? Place::given : Place::at_offset, site);
      const long result = call(file.raw(), t);
      step.done(result < 0, std::uint64_t(result));
      return result;
    }
    case OpenKind::device:
    case OpenKind::directory:
      return call(file.raw(), t);
    default:
      return transfer_pipe(*file, t, site);
  }
}

}  // namespace

long transfer(int fd, const Transfer& t, std::uint32_t site) {
  if (!active() || (state().standalone && !is_modelled_pipe(fd))) return call(fd, t);
  const auto* const parts = t.vector ? reinterpret_cast<const iovec*>(t.buffer) : nullptr;
  if (parts && t.size > 0) access_for_call(parts, std::size_t(t.size) * sizeof *parts, false, site);
  if (parts && t.writes) tell_parts(parts, int(t.size), long(total(t)), false, site);
  FileUse file(fd, site);
  if (!file) return -1;
  const long result = transfer_open(fd, file, t, site);
  if (parts && !t.writes) tell_parts(parts, int(t.size), result, true, site);
  return result;
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

// All of these are cancellation points.
#define SITE cancellation_point(INSPECT_CALLER_SITE())
// The mode is there only when a file may be made.
#define OPTIONAL_MODE(flags)               \
  mode_t mode = 0;                         \
  if ((flags) & (O_CREAT | __O_TMPFILE)) { \
    va_list arguments;                     \
    va_start(arguments, flags);            \
    mode = va_arg(arguments, mode_t);      \
    va_end(arguments);                     \
  }

INSPECT_EXPORT int open(const char* path, int flags, ...) {
  OPTIONAL_MODE(flags)
  return open_path(AT_FDCWD, path, flags, mode, SITE);
}
INSPECT_EXPORT int open64(const char* path, int flags, ...) {
  OPTIONAL_MODE(flags)
  return open_path(AT_FDCWD, path, flags, mode, SITE);
}
INSPECT_EXPORT int openat(int directory, const char* path, int flags, ...) {
  OPTIONAL_MODE(flags)
  return open_path(directory, path, flags, mode, SITE);
}
INSPECT_EXPORT int openat64(int directory, const char* path, int flags, ...) {
  OPTIONAL_MODE(flags)
  return open_path(directory, path, flags, mode, SITE);
}
INSPECT_EXPORT int __open_2(const char* path, int flags) { return open_path(AT_FDCWD, path, flags, 0, SITE); }
INSPECT_EXPORT int __open64_2(const char* path, int flags) { return open_path(AT_FDCWD, path, flags, 0, SITE); }
INSPECT_EXPORT int __openat_2(int directory, const char* path, int flags) { return open_path(directory, path, flags, 0, SITE); }
INSPECT_EXPORT int __openat64_2(int directory, const char* path, int flags) {
  return open_path(directory, path, flags, 0, SITE);
}
INSPECT_EXPORT int creat(const char* path, mode_t mode) {
  return open_path(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode, SITE);
}
INSPECT_EXPORT int creat64(const char* path, mode_t mode) {
  return open_path(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode, SITE);
}
INSPECT_EXPORT int close(int fd) { return close_descriptor(fd, SITE); }

namespace {
long word(const void* p) { return reinterpret_cast<long>(p); }
}  // namespace

INSPECT_EXPORT ssize_t read(int fd, void* to, size_t size) {
  return transfer(fd, {.number = SYS_read, .buffer = word(to), .size = long(size)}, SITE);
}
INSPECT_EXPORT ssize_t __read_chk(int fd, void* to, size_t size, size_t) {
  return transfer(fd, {.number = SYS_read, .buffer = word(to), .size = long(size)}, SITE);
}
INSPECT_EXPORT ssize_t write(int fd, const void* from, size_t size) {
  return transfer(fd, {.number = SYS_write, .buffer = word(from), .size = long(size), .writes = true}, SITE);
}
INSPECT_EXPORT ssize_t readv(int fd, const iovec* parts, int count) {
  return transfer(fd, {.number = SYS_readv, .buffer = word(parts), .size = count, .vector = true}, SITE);
}
INSPECT_EXPORT ssize_t writev(int fd, const iovec* parts, int count) {
  return transfer(fd, {.number = SYS_writev, .buffer = word(parts), .size = count, .writes = true, .vector = true}, SITE);
}
INSPECT_EXPORT ssize_t pread(int fd, void* to, size_t size, off_t at) {
  return transfer(fd, {.number = SYS_pread64, .buffer = word(to), .size = long(size), .third = at, .positioned = true}, SITE);
}
INSPECT_EXPORT ssize_t pread64(int fd, void* to, size_t size, off_t at) {
  return transfer(fd, {.number = SYS_pread64, .buffer = word(to), .size = long(size), .third = at, .positioned = true}, SITE);
}
INSPECT_EXPORT ssize_t __pread_chk(int fd, void* to, size_t size, off_t at, size_t) {
  return transfer(fd, {.number = SYS_pread64, .buffer = word(to), .size = long(size), .third = at, .positioned = true}, SITE);
}
INSPECT_EXPORT ssize_t __pread64_chk(int fd, void* to, size_t size, off_t at, size_t) {
  return transfer(fd, {.number = SYS_pread64, .buffer = word(to), .size = long(size), .third = at, .positioned = true}, SITE);
}
INSPECT_EXPORT ssize_t pwrite(int fd, const void* from, size_t size, off_t at) {
  return transfer(
      fd, {.number = SYS_pwrite64, .buffer = word(from), .size = long(size), .third = at, .writes = true, .positioned = true},
      SITE);
}
INSPECT_EXPORT ssize_t pwrite64(int fd, const void* from, size_t size, off_t at) {
  return transfer(
      fd, {.number = SYS_pwrite64, .buffer = word(from), .size = long(size), .third = at, .writes = true, .positioned = true},
      SITE);
}
INSPECT_EXPORT ssize_t preadv(int fd, const iovec* parts, int count, off_t at) {
  return transfer(
      fd, {.number = SYS_preadv, .buffer = word(parts), .size = count, .third = at, .vector = true, .positioned = true}, SITE);
}
INSPECT_EXPORT ssize_t preadv64(int fd, const iovec* parts, int count, off_t at) {
  return transfer(
      fd, {.number = SYS_preadv, .buffer = word(parts), .size = count, .third = at, .vector = true, .positioned = true}, SITE);
}
INSPECT_EXPORT ssize_t pwritev(int fd, const iovec* parts, int count, off_t at) {
  return transfer(fd,
                  {.number = SYS_pwritev,
                   .buffer = word(parts),
                   .size = count,
                   .third = at,
                   .writes = true,
                   .vector = true,
                   .positioned = true},
                  SITE);
}
INSPECT_EXPORT ssize_t pwritev64(int fd, const iovec* parts, int count, off_t at) {
  return transfer(fd,
                  {.number = SYS_pwritev,
                   .buffer = word(parts),
                   .size = count,
                   .third = at,
                   .writes = true,
                   .vector = true,
                   .positioned = true},
                  SITE);
}
