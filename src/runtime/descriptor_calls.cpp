// Calls on descriptors that neither open nor move bytes: duplicates, flags, offsets, sizes.
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "runtime/export.hpp"
#include "runtime/file_names.hpp"
#include "runtime/pipes.hpp"
#include "runtime/system_call.hpp"

using namespace inspect::runtime;

namespace {

// Without an explorer only pipes are modelled.
bool passes_through(int fd) { return !active() || (state().standalone && !is_modelled_pipe(fd)); }

int duplicate(int fd, int at, int least, bool close_on_exec, std::uint32_t site) {
  const auto kernel = [&] {
    if (at >= 0) return system_call(SYS_dup3, fd, at, close_on_exec ? O_CLOEXEC : 0);
    return system_call(SYS_fcntl, fd, close_on_exec ? F_DUPFD_CLOEXEC : F_DUPFD, least);
  };
  if (passes_through(fd)) return int(with_errno(kernel()));
  OpenFile* f = open_file(fd);
  if (!f || !is_program_descriptor(at)) return errno = EBADF, -1;
  if (at == fd) return fd;
  const OpenFile* const replaced = at >= 0 ? open_file(at) : nullptr;
  FileStep step(INSPECT_OP_FileOperation, object_of(*f), replaced ? object_of(*replaced) : 0, site);
  f = open_file(fd);
  const long raw = f ? kernel() : -EBADF;
  step.done(raw < 0);
  if (raw < 0) return int(with_errno(raw));
  const int result = add_duplicate(int(raw), *f, at, site);
  if (result < least) report_unsupported("fcntl with F_DUPFD and a lowest number, in a program with threads", site);
  return result;
}

// Record locks never exclude the process that holds them.
int lock_record(int command, struct flock* lock, std::uint32_t site) {
  if (command == F_GETLK) lock->l_type = F_UNLCK;
  if (command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_OFD_GETLK)
    report_unsupported("fcntl: locks of open files are not modelled", site);
  return 0;
}

int set_flags(int fd, OpenFile& file, long flags, std::uint32_t site) {
  FileStep step(INSPECT_OP_FileOperation, object_of(file), 0, site);
  file.nonblocking = flags & O_NONBLOCK;
  const bool pipe = is_modelled_pipe(fd);
  const long result =
      file.kind == OpenKind::output ? 0 : system_call(SYS_fcntl, fd, F_SETFL, pipe ? flags | O_NONBLOCK : flags);
  step.done(result < 0);
  return int(with_errno(result));
}

long get_flags(int fd, const OpenFile& file) {
  if (file.kind == OpenKind::output) return O_WRONLY | (file.nonblocking ? O_NONBLOCK : 0);
  const long flags = system_call(SYS_fcntl, fd, F_GETFL);
  return file.nonblocking ? flags | O_NONBLOCK : flags & ~long(O_NONBLOCK);
}

int control(int fd, int command, long argument, std::uint32_t site) {
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
    return duplicate(fd, -1, int(argument), command == F_DUPFD_CLOEXEC, site);
  if (passes_through(fd)) return int(with_errno(system_call(SYS_fcntl, fd, command, argument)));
  OpenFile* const f = open_file(fd);
  if (!f) return errno = EBADF, -1;
  switch (command) {
    case F_GETFD:
    case F_SETFD:
    case F_GETPIPE_SZ:
    case F_SETPIPE_SZ:
      return int(with_errno(system_call(SYS_fcntl, fd, command, argument)));
    case F_GETFL:
      return int(get_flags(fd, *f));
    case F_SETFL:
      return set_flags(fd, *f, argument, site);
    case F_GETLK:
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_GETLK:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
      return lock_record(command, reinterpret_cast<struct flock*>(argument), site);
    default:
      report_unsupported(format_message("fcntl with command %d", command), site);
  }
}

int device_control(int fd, unsigned long request, long argument, std::uint32_t site) {
  if (passes_through(fd)) return int(with_errno(system_call(SYS_ioctl, fd, long(request), argument)));
  OpenFile* const f = open_file(fd);
  if (!f) return errno = EBADF, -1;
  switch (request) {
    case TCGETS:
    case TCSETS:
    case TIOCGWINSZ:
    case TIOCGPGRP:
      return errno = ENOTTY, -1;
    case FIOCLEX:
    case FIONCLEX:
      return int(with_errno(system_call(SYS_ioctl, fd, long(request), argument)));
    case FIONBIO:
      return set_flags(fd, *f, (get_flags(fd, *f) & ~long(O_NONBLOCK)) | (*reinterpret_cast<int*>(argument) ? O_NONBLOCK : 0),
                       site);
    case FIONREAD: {
      FileStep step = content_step(*f, false, false, site);
      const long result = system_call(SYS_ioctl, fd, long(request), argument);
      step.done(result < 0);
      return int(with_errno(result));
    }
    default:
      report_unsupported(format_message("ioctl with request 0x%lx", request), site);
  }
}

off_t seek(int fd, off_t offset, int whence, std::uint32_t site) {
  if (passes_through(fd)) return with_errno(system_call(SYS_lseek, fd, offset, whence));
  OpenFile* const f = open_file(fd);
  if (!f) return errno = EBADF, -1;
  if (f->kind == OpenKind::output) return errno = ESPIPE, -1;
  if (f->kind == OpenKind::input) descriptors().input_used = state().descriptors_touched = true;
  FileStep step = content_step(*f, false, false, site);
  const long result = system_call(SYS_lseek, fd, offset, whence);
  step.done(result < 0, std::uint64_t(result));
  return with_errno(result);
}

// A change of a file's size or blocks by a system call on its descriptor.
int change_size(long number, int fd, long a, long b, long c, std::uint32_t site) {
  const auto change = [&] { return system_call(number, fd, a, b, c); };
  if (passes_through(fd)) return int(with_errno(change()));
  OpenFile* const f = open_file(fd);
  if (!f) return errno = EBADF, -1;
  if (f->kind != OpenKind::file) return errno = EINVAL, -1;
  FileStep step = content_step(*f, true, true, site);
  const long result = change();
  step.done(result < 0);
  return int(with_errno(result));
}

int only_if_open(int fd, long number) {
  if (passes_through(fd)) return int(with_errno(system_call(number, fd)));
  return open_file(fd) ? 0 : (errno = EBADF, -1);
}

}  // namespace

#define SITE INSPECT_CALLER_SITE()
INSPECT_EXPORT int dup(int fd) noexcept { return duplicate(fd, -1, 0, false, SITE); }
INSPECT_EXPORT int dup2(int fd, int at) noexcept {
  if (passes_through(fd)) return int(with_errno(system_call(SYS_dup2, fd, at)));
  return duplicate(fd, at, 0, false, SITE);
}
INSPECT_EXPORT int dup3(int fd, int at, int flags) noexcept {
  if (fd == at) return errno = EINVAL, -1;
  return duplicate(fd, at, 0, flags & O_CLOEXEC, SITE);
}
INSPECT_EXPORT int fcntl(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  return control(fd, command, argument, SITE);
}
INSPECT_EXPORT int fcntl64(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  return control(fd, command, argument, SITE);
}
INSPECT_EXPORT int ioctl(int fd, unsigned long request, ...) noexcept {
  va_list arguments;
  va_start(arguments, request);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  return device_control(fd, request, argument, SITE);
}
INSPECT_EXPORT int isatty(int fd) noexcept {
  struct winsize size;
  if (passes_through(fd))
    return system_call(SYS_ioctl, fd, TIOCGWINSZ, reinterpret_cast<long>(&size)) < 0 ? (errno = ENOTTY, 0) : 1;
  errno = open_file(fd) ? ENOTTY : EBADF;
  return 0;
}

INSPECT_EXPORT off_t lseek(int fd, off_t offset, int whence) noexcept { return seek(fd, offset, whence, SITE); }
INSPECT_EXPORT off_t lseek64(int fd, off_t offset, int whence) noexcept { return seek(fd, offset, whence, SITE); }
INSPECT_EXPORT int ftruncate(int fd, off_t size) noexcept { return change_size(SYS_ftruncate, fd, size, 0, 0, SITE); }
INSPECT_EXPORT int ftruncate64(int fd, off_t size) noexcept { return change_size(SYS_ftruncate, fd, size, 0, 0, SITE); }
INSPECT_EXPORT int fallocate(int fd, int mode, off_t at, off_t size) {
  return change_size(SYS_fallocate, fd, mode, at, size, SITE);
}
INSPECT_EXPORT int fallocate64(int fd, int mode, off_t at, off_t size) {
  return change_size(SYS_fallocate, fd, mode, at, size, SITE);
}
INSPECT_EXPORT int posix_fallocate(int fd, off_t at, off_t size) {
  return change_size(SYS_fallocate, fd, 0, at, size, SITE) < 0 ? errno : 0;
}
INSPECT_EXPORT int posix_fallocate64(int fd, off_t at, off_t size) {
  return change_size(SYS_fallocate, fd, 0, at, size, SITE) < 0 ? errno : 0;
}

// Nothing outlives the execution: what reaches the disk when does not matter, nor does advice.
INSPECT_EXPORT int fsync(int fd) { return only_if_open(fd, SYS_fsync); }
INSPECT_EXPORT int fdatasync(int fd) { return only_if_open(fd, SYS_fdatasync); }
INSPECT_EXPORT int syncfs(int fd) noexcept { return only_if_open(fd, SYS_syncfs); }
INSPECT_EXPORT void sync(void) noexcept {
  if (world_is_real()) system_call(SYS_sync);
}
INSPECT_EXPORT int sync_file_range(int fd, off_t, off_t, unsigned) { return only_if_open(fd, SYS_fdatasync); }
INSPECT_EXPORT int posix_fadvise(int, off_t, off_t, int) noexcept { return 0; }
INSPECT_EXPORT int posix_fadvise64(int, off_t, off_t, int) noexcept { return 0; }
INSPECT_EXPORT ssize_t readahead(int fd, off_t, size_t) noexcept {
  return passes_through(fd) || open_file(fd) ? 0 : (errno = EBADF, -1);
}

INSPECT_EXPORT int flock(int fd, int how) noexcept {
  if (passes_through(fd)) return int(with_errno(system_call(SYS_flock, fd, how)));
  if (!open_file(fd)) return errno = EBADF, -1;
  if (state().created > 1) report_unsupported("flock: locks between open files of one program are not modelled", SITE);
  return 0;
}
INSPECT_EXPORT int lockf(int fd, int, off_t) { return passes_through(fd) || open_file(fd) ? 0 : (errno = EBADF, -1); }
INSPECT_EXPORT int lockf64(int fd, int, off_t) { return passes_through(fd) || open_file(fd) ? 0 : (errno = EBADF, -1); }

// Only what the program has open is closed; the runtime's own descriptors stay.
INSPECT_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  if (world_is_real()) return int(with_errno(system_call(SYS_close_range, first, last, flags)));
  if (flags & int(CLOSE_RANGE_CLOEXEC)) return 0;
  for (unsigned fd = first; fd < descriptors().end && fd <= last; ++fd)
    if (descriptors().open_file[fd]) close_descriptor(int(fd), SITE);
  return 0;
}
INSPECT_EXPORT void closefrom(int first) noexcept { close_range(unsigned(first), ~0u, 0); }
INSPECT_EXPORT int getdtablesize(void) noexcept { return 1024; }
