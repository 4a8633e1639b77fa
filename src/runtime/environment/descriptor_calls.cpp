// Calls on descriptors that neither open nor move bytes: duplicates, flags, offsets, sizes.
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "runtime/environment/file_names.hpp"
#include "runtime/environment/files.hpp"
#include "runtime/environment/pipes.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/environment_ready.hpp"
#include "runtime/upcalls/reports.hpp"

using namespace inspect::runtime;

namespace {

// Without an explorer only pipes are modelled.
bool passes_through(int fd) { return !active() || (state().standalone && !is_modelled_pipe(fd)); }

// dup2 and dup3: the number's old file goes, another thread's call that uses it keeps it.
struct Replacement {
  int fd, at;
};
Objects replaced_objects(int at) {
  return open_file(at) ? whole_descriptor(at) : hull(descriptor_objects(at), number_objects(at, at));
}
void replacement_label(const void* argument, Operation& o) {
  const auto& r = *static_cast<const Replacement*>(argument);
  const Objects replaced = replaced_objects(r.at);
  o.object2 = replaced.at;
  o.size2 = replaced.size;
}

int duplicate_at(int fd, int at, bool close_on_exec, std::uint32_t site) {
  const Replacement r{fd, at};
  if (at < 0) return errno = EBADF, -1;
  if (!is_program_descriptor(at)) report_unsupported("a descriptor of so high a number", site);
  if (fd == at) return FileUse(fd, site) ? fd : -1;
  const OpenFile* const before = open_file(at);
  if (before && before->kind == OpenKind::output) use_output(at, OutputUse::change, site);
  const Objects source = unsigned(fd) < INSPECT_MAX_DESCRIPTORS ? descriptor_objects(fd) : Objects();
  FileStep step(INSPECT_OP_FileRead, source, {}, site, nullptr, {replacement_label, &r});
  OpenFile* const f = open_file(fd);
  if (!f) {
    step.done_as(INSPECT_OP_FileRead, source, {});
    return errno = EBADF, -1;
  }
  const Objects replaced = replaced_objects(at);
  if (replaced.edge) order_along(replaced.edge, true);
  drop_descriptor(at, false);  // the kernel closes it
  system_call(SYS_dup3, f->raw, at, close_on_exec ? O_CLOEXEC : 0);
  add_duplicate_at(at, *f);
  step.done_as(INSPECT_OP_FileRead, source, replaced);
  return at;
}

int duplicate(int fd, int least, bool close_on_exec, std::uint32_t site) {
  const int how = close_on_exec ? F_DUPFD_CLOEXEC : F_DUPFD;
  if (passes_through(fd)) return int(with_errno(system_call(SYS_fcntl, fd, how, least)));
  FileUse file(fd, site);
  if (!file) return -1;
  if (!is_program_descriptor(least)) return errno = EINVAL, -1;
  const long raw = system_call(SYS_fcntl, file.raw(), how, least);
  return raw < 0 ? int(with_errno(raw)) : add_duplicate(int(raw), *file, least, site);
}

// Record locks never exclude the process that holds them.
int lock_record(int command, struct flock* lock, std::uint32_t site) {
  reads_argument(lock, sizeof *lock, site);
  if (command == F_GETLK) {
    writes_argument(&lock->l_type, sizeof lock->l_type, site);
    lock->l_type = F_UNLCK;
  }
  if (command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_OFD_GETLK)
    report_unsupported("fcntl: locks of open files are not modelled", site);
  return 0;
}

int set_flags(OpenFile& file, long flags, std::uint32_t site) {
  FileStep step(INSPECT_OP_FileOperation, object_of(file), {}, site);
  state().descriptors_touched = true;
  constexpr long kSettable = O_APPEND | O_NONBLOCK;
  file.nonblocking = flags & O_NONBLOCK;
  const bool carries_bytes = file.kind != OpenKind::file && file.kind != OpenKind::input && file.kind != OpenKind::directory;
  long result = 0;
  if (file.kind != OpenKind::output)
    result =
        system_call(SYS_fcntl, file.raw, F_SETFL, carries_bytes && file.kind != OpenKind::device ? flags | O_NONBLOCK : flags);
  if (result >= 0) file.flags = int((file.flags & ~kSettable) | (flags & kSettable));
  step.done(result < 0);
  return int(with_errno(result));
}

long flags_of(const OpenFile& file) {
  if (file.kind == OpenKind::output) return O_WRONLY | (file.nonblocking ? O_NONBLOCK : 0);
  const long flags = system_call(SYS_fcntl, file.raw, F_GETFL);
  return file.nonblocking ? flags | O_NONBLOCK : flags & ~long(O_NONBLOCK);
}

int get_flags(const OpenFile& file, std::uint32_t site) {
  FileStep step(INSPECT_OP_FileRead, object_of(file), {}, site);
  const long flags = flags_of(file);
  step.done(false, std::uint64_t(flags));
  return int(flags);
}

// The flag of the descriptor, not of the open file.
int descriptor_flag(int fd, int command, long argument, std::uint32_t site) {
  FileStep step(command == F_GETFD ? INSPECT_OP_FileRead : INSPECT_OP_FileOperation, descriptor_objects(fd), {}, site);
  if (command == F_SETFD) state().descriptors_touched = true;
  const long result = open_file(fd) ? system_call(SYS_fcntl, fd, command, argument) : -EBADF;
  step.done(result < 0, std::uint64_t(result));
  return int(with_errno(result));
}

int control(int fd, int command, long argument, std::uint32_t site) {
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) return duplicate(fd, int(argument), command == F_DUPFD_CLOEXEC, site);
  if (passes_through(fd)) return int(with_errno(system_call(SYS_fcntl, fd, command, argument)));
  if (unsigned(fd) >= INSPECT_MAX_DESCRIPTORS) return errno = EBADF, -1;
  if (command == F_GETFD || command == F_SETFD) return descriptor_flag(fd, command, argument, site);
  FileUse file(fd, site);
  if (!file) return -1;
  switch (command) {
    case F_GETPIPE_SZ:
    case F_SETPIPE_SZ: {
      FileStep step(INSPECT_OP_FileOperation, object_of(*file), {}, site);
      state().descriptors_touched = true;
      const long result = system_call(SYS_fcntl, file.raw(), command, argument);
      step.done(result < 0);
      return int(with_errno(result));
    }
    case F_GETFL:
      return get_flags(*file, site);
    case F_SETFL:
      return set_flags(*file, argument, site);
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

int set_blocking(OpenFile& file, const int* nonblocking, std::uint32_t site) {
  access_for_call(nonblocking, sizeof *nonblocking, false, site);
  return set_flags(file, (flags_of(file) & ~long(O_NONBLOCK)) | (*nonblocking ? O_NONBLOCK : 0), site);
}

int bytes_to_read(OpenFile& file, long argument, std::uint32_t site) {
  FileStep step = content_step(file, Direction::read, Place::at_offset, site);
  const long result = system_call(SYS_ioctl, file.raw, FIONREAD, argument);
  step.done(result < 0);
  if (result >= 0) access_for_call(reinterpret_cast<void*>(argument), sizeof(int), true, site);
  return int(with_errno(result));
}

int device_control(int fd, unsigned long request, long argument, std::uint32_t site) {
  if (passes_through(fd)) return int(with_errno(system_call(SYS_ioctl, fd, long(request), argument)));
  if (request == FIOCLEX || request == FIONCLEX) return control(fd, F_SETFD, request == FIOCLEX ? FD_CLOEXEC : 0, site);
  FileUse file(fd, site);
  if (!file) return -1;
  switch (request) {
    case TCGETS:
    case TCSETS:
    case TIOCGWINSZ:
    case TIOCGPGRP:
      return errno = ENOTTY, -1;
    case FIONBIO:
      return set_blocking(*file, reinterpret_cast<const int*>(argument), site);
    case FIONREAD:
      return bytes_to_read(*file, argument, site);
    default:
      report_unsupported(format_message("ioctl with request 0x%lx", request), site);
  }
}

off_t seek(int fd, off_t offset, int whence, std::uint32_t site) {
  if (passes_through(fd)) return with_errno(system_call(SYS_lseek, fd, offset, whence));
  FileUse file(fd, site);
  if (!file) return -1;
  if (file->kind == OpenKind::output) return errno = ESPIPE, -1;
  if (file->kind == OpenKind::input) descriptors().input_used = state().descriptors_touched = true;
  FileStep step = content_step(*file, Direction::read, Place::at_offset, site);
  const long result = system_call(SYS_lseek, file.raw(), offset, whence);
  step.done(result < 0, std::uint64_t(result));
  return with_errno(result);
}

// A change of a file's size or blocks by a system call on its descriptor.
int change_size(long number, int fd, long a, long b, long c, std::uint32_t site) {
  if (passes_through(fd)) return int(with_errno(system_call(number, fd, a, b, c)));
  FileUse file(fd, site);
  if (!file) return -1;
  if (file->kind != OpenKind::file) return errno = EINVAL, -1;
  FileStep step = content_step(*file, Direction::write, Place::given, site);
  const long result = system_call(number, file.raw(), a, b, c);
  step.done(result < 0);
  return int(with_errno(result));
}

int only_if_open(int fd, long number, std::uint32_t site) {
  if (passes_through(fd)) return int(with_errno(system_call(number, fd)));
  return FileUse(fd, site) ? 0 : -1;
}
int number_if_open(int fd, std::uint32_t site) { return passes_through(fd) || FileUse(fd, site) ? 0 : EBADF; }

int is_terminal(int fd, std::uint32_t site) {
  struct winsize size;
  if (passes_through(fd))
    return system_call(SYS_ioctl, fd, TIOCGWINSZ, reinterpret_cast<long>(&size)) < 0 ? (errno = ENOTTY, 0) : 1;
  if (FileUse(fd, site)) errno = ENOTTY;
  return 0;
}

}  // namespace

#define SITE INSPECT_CALLER_SITE()
#define POINT cancellation_point(SITE)
INSPECT_EXPORT int dup(int fd) noexcept { return duplicate(fd, 0, false, SITE); }
INSPECT_EXPORT int dup2(int fd, int at) noexcept {
  if (passes_through(fd)) return int(with_errno(system_call(SYS_dup2, fd, at)));
  return duplicate_at(fd, at, false, SITE);
}
INSPECT_EXPORT int dup3(int fd, int at, int flags) noexcept {
  if (fd == at) return errno = EINVAL, -1;
  if (passes_through(fd)) return int(with_errno(system_call(SYS_dup3, fd, at, flags)));
  return duplicate_at(fd, at, flags & O_CLOEXEC, SITE);
}
INSPECT_EXPORT int fcntl(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  return control(fd, command, argument, command == F_SETLKW ? POINT : SITE);
}
INSPECT_EXPORT int fcntl64(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  return control(fd, command, argument, command == F_SETLKW ? POINT : SITE);
}
INSPECT_EXPORT int ioctl(int fd, unsigned long request, ...) noexcept {
  va_list arguments;
  va_start(arguments, request);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  return device_control(fd, request, argument, SITE);
}
INSPECT_EXPORT int isatty(int fd) noexcept { return is_terminal(fd, SITE); }

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
INSPECT_EXPORT int fsync(int fd) { return only_if_open(fd, SYS_fsync, POINT); }
INSPECT_EXPORT int fdatasync(int fd) { return only_if_open(fd, SYS_fdatasync, POINT); }
INSPECT_EXPORT int syncfs(int fd) noexcept { return only_if_open(fd, SYS_syncfs, SITE); }
INSPECT_EXPORT void sync(void) noexcept {
  if (environment_is_real()) system_call(SYS_sync);
}
INSPECT_EXPORT int sync_file_range(int fd, off_t, off_t, unsigned) { return only_if_open(fd, SYS_fdatasync, POINT); }
INSPECT_EXPORT int posix_fadvise(int fd, off_t, off_t, int) noexcept { return number_if_open(fd, SITE); }
INSPECT_EXPORT int posix_fadvise64(int fd, off_t, off_t, int) noexcept { return number_if_open(fd, SITE); }
INSPECT_EXPORT ssize_t readahead(int fd, off_t, size_t) noexcept { return only_if_open(fd, SYS_fdatasync, SITE); }

INSPECT_EXPORT int flock(int fd, int how) noexcept {
  if (passes_through(fd)) return int(with_errno(system_call(SYS_flock, fd, how)));
  if (!FileUse(fd, SITE)) return -1;
  if (state().execution.created > 1)
    report_unsupported("flock: locks between open files of one program are not modelled", SITE);
  return 0;
}
INSPECT_EXPORT int lockf(int fd, int, off_t) { return passes_through(fd) || FileUse(fd, POINT) ? 0 : -1; }
INSPECT_EXPORT int lockf64(int fd, int, off_t) { return passes_through(fd) || FileUse(fd, POINT) ? 0 : -1; }

// Only what the program has open is closed; the runtime's own descriptors stay.
INSPECT_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  if (environment_is_real()) return int(with_errno(system_call(SYS_close_range, first, last, flags)));
  if (first > last || flags & ~int(CLOSE_RANGE_CLOEXEC | CLOSE_RANGE_UNSHARE)) return errno = EINVAL, -1;
  if (flags & int(CLOSE_RANGE_CLOEXEC)) report_unsupported("close_range with CLOSE_RANGE_CLOEXEC", SITE);
  const int error = errno;
  // In a program with threads each number is looked at: another may open it meanwhile.
  const unsigned end = several_threads() ? descriptors().end : INSPECT_MAX_DESCRIPTORS;
  for (unsigned fd = first; fd < end && fd <= last; ++fd)
    if (several_threads() || descriptors().open_file[fd]) close_descriptor(int(fd), SITE);
  errno = error;
  return 0;
}
INSPECT_EXPORT void closefrom(int first) noexcept { close_range(unsigned(first), ~0u, 0); }
INSPECT_EXPORT int getdtablesize(void) noexcept { return 1024; }
