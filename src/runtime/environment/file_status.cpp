// What the program may ask about files: the stat family, permissions, links, paths. Times and numbers are the same in every
// execution.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runtime/environment/file_names.hpp"
#include "runtime/environment/files.hpp"
#include "runtime/environment/pipes.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/virtual_time.hpp"
#include "runtime/upcalls/environment_ready.hpp"
#include "runtime/upcalls/real.hpp"
#include "runtime/upcalls/reports.hpp"

using namespace inspect::runtime;

namespace {

constexpr dev_t kDevice = 0x1d;          // of files that exist only here
constexpr ino_t kFirstNumber = 1 << 30;  // inode numbers of those, by content

constexpr timespec kBegin{time_t(kEpochSeconds), 0};

// Reading a file changes its access time: not what an execution may see.
void steady_times(struct stat* status) { status->st_atim = status->st_mtim; }

void describe_content(std::int32_t number, struct stat* status) {
  const Content& c = content_at(number);
  memset(status, 0, sizeof *status);
  system_call(SYS_fstat, c.copy, reinterpret_cast<long>(status));
  status->st_dev = kDevice;
  status->st_ino = kFirstNumber + ino_t(number);
  status->st_mode = c.mode;
  status->st_nlink = c.links;
  status->st_uid = geteuid();
  status->st_gid = getegid();
  status->st_mtim = status->st_ctim = c.timed ? c.modified : kBegin;
  status->st_atim = c.timed ? c.accessed : kBegin;
}

void describe_made(const NameEntry& entry, struct stat* status) {
  memset(status, 0, sizeof *status);
  status->st_dev = kDevice;
  status->st_ino = kFirstNumber + 4096 + ino_t(&entry - file_names().entries);
  status->st_mode = entry.kind == NameKind::directory ? S_IFDIR | entry.mode : S_IFLNK | 0777;
  status->st_nlink = entry.kind == NameKind::directory ? 2 : 1;
  status->st_size = entry.kind == NameKind::directory ? 4096 : off_t(strlen(text_at(entry.target)));
  status->st_blksize = 4096;
  status->st_uid = geteuid();
  status->st_gid = getegid();
  status->st_atim = status->st_mtim = status->st_ctim = kBegin;
}

int status_of_open(const OpenFile& file, struct stat* status) {
  const OpenFile* const f = &file;
  if (f->kind == OpenKind::file && f->content >= 0 && content_at(f->content).copy >= 0)
    return describe_content(f->content, status), 0;
  const long result = system_call(SYS_fstat, f->raw, reinterpret_cast<long>(status));
  if (result < 0) return int(-result);
  steady_times(status);
  if (f->kind != OpenKind::output) return 0;
  // The same wherever output goes: a pipe, that nobody can seek in.
  status->st_mode = S_IFIFO | 0600;
  status->st_size = status->st_blocks = 0;
  status->st_dev = kDevice;
  status->st_ino = kFirstNumber - 1;
  status->st_atim = status->st_mtim = status->st_ctim = kBegin;
  return 0;
}

int status_of_found(Found& found, struct stat* status) {
  if (found.kind == NameKind::missing) return ENOENT;
  if (found.entry && found.entry->kind != NameKind::file) return describe_made(*found.entry, status), 0;
  if (found.entry && content_at(found.entry->content).copy >= 0) return describe_content(found.entry->content, status), 0;
  if (found.kind == NameKind::random || !*found.path)
    system_call(SYS_newfstatat, AT_FDCWD, reinterpret_cast<long>(*found.path ? found.path : "/"),
                reinterpret_cast<long>(&found.status), 0);
  *status = found.status;
  steady_times(status);
  return 0;
}

int status_of_descriptor(int fd, struct stat* to, std::uint32_t site) {
  FileUse file(fd, site);
  if (!file) return EBADF;
  if (file->content < 0) return status_of_open(*file, to);
  FileStep step = content_step(*file, Direction::read, Place::given, site);
  const int error = status_of_open(*file, to);
  step.done(error != 0);
  return error;
}

// A look at a name as a step: it depends on names being made and removed, and on what the file contains (its size).
int look_at(int directory, const char* path, bool follow, struct stat* status, std::uint32_t site) {
  Found& found = first_found();
  const DirectoryUse base(directory, path, site);
  FileStep names(INSPECT_OP_FileRead, names_read(path, false), {}, site);
  const int error = find_name(base.number(), path, follow, found);
  const std::uint64_t content = !error && found.kind == NameKind::file ? content_object(found) : 0;
  const std::uint32_t known = content ? keep_text(found.path) : 0;
  names.done(error != 0);
  if (error) return error;
  if (found.kind == NameKind::descriptor) return status_of_descriptor(found.descriptor, status, site);
  if (!content) return status_of_found(found, status);
  FileStep size(INSPECT_OP_FileRead, content, {}, site);
  const int gone = find_name(AT_FDCWD, text_at(known), false, found);
  size.done();
  return gone ? gone : status_of_found(found, status);
}

int status(int directory, const char* path, int flags, struct stat* result, std::uint32_t site, bool tells = true) {
  if (environment_is_real())
    return int(with_errno(
        system_call(SYS_newfstatat, directory, reinterpret_cast<long>(path), reinterpret_cast<long>(result), flags)));
  const bool of_descriptor = (flags & AT_EMPTY_PATH) && path && !*path;
  const int error = of_descriptor ? status_of_descriptor(directory, result, site)
                                  : look_at(directory, path, !(flags & AT_SYMLINK_NOFOLLOW), result, site);
  if (error) return errno = error, -1;
  if (tells) access_for_call(result, sizeof *result, true, site);
  return 0;
}

struct statx_timestamp to_timestamp(const timespec& t) {
  struct statx_timestamp result{};
  result.tv_sec = t.tv_sec;
  result.tv_nsec = std::uint32_t(t.tv_nsec);
  return result;
}

void to_statx(const struct stat& from, struct statx* to) {
  memset(to, 0, sizeof *to);
  to->stx_mask = STATX_BASIC_STATS;
  to->stx_blksize = std::uint32_t(from.st_blksize);
  to->stx_nlink = std::uint32_t(from.st_nlink);
  to->stx_uid = from.st_uid;
  to->stx_gid = from.st_gid;
  to->stx_mode = std::uint16_t(from.st_mode);
  to->stx_ino = from.st_ino;
  to->stx_size = std::uint64_t(from.st_size);
  to->stx_blocks = std::uint64_t(from.st_blocks);
  to->stx_atime = to_timestamp(from.st_atim);
  to->stx_mtime = to_timestamp(from.st_mtim);
  to->stx_ctime = to_timestamp(from.st_ctim);
  to->stx_rdev_major = major(from.st_rdev);
  to->stx_rdev_minor = minor(from.st_rdev);
  to->stx_dev_major = major(from.st_dev);
  to->stx_dev_minor = minor(from.st_dev);
}

int accessible(int directory, const char* path, int wanted, int flags, std::uint32_t site) {
  if (environment_is_real())
    return int(with_errno(system_call(SYS_faccessat2, directory, reinterpret_cast<long>(path), wanted, flags)));
  Found& found = first_found();
  const DirectoryUse base(directory, path, site);
  FileStep step(INSPECT_OP_FileRead, names_read(path, false), {}, site);
  int error = find_name(base.number(), path, !(flags & AT_SYMLINK_NOFOLLOW), found);
  if (!error) error = check_permission(found, wanted);
  step.done(error != 0);
  return error ? (errno = error, -1) : 0;
}

ssize_t target_of_link(int directory, const char* path, char* to, size_t size, std::uint32_t site) {
  const auto kernel = [&] {
    return with_errno(
        system_call(SYS_readlinkat, directory, reinterpret_cast<long>(path), reinterpret_cast<long>(to), long(size)));
  };
  if (environment_is_real() || !strcmp(path, "/proc/self/exe")) return kernel();
  Found& found = first_found();
  const DirectoryUse base(directory, path, site);
  FileStep step(INSPECT_OP_FileRead, names_read(path, false), {}, site);
  int error = find_name(base.number(), path, false, found);
  if (!error && found.kind != NameKind::link) error = found.kind == NameKind::missing ? ENOENT : EINVAL;
  step.done(error != 0);
  if (error) return errno = error, -1;
  if (!found.entry)
    return with_errno(system_call(SYS_readlink, reinterpret_cast<long>(found.path), reinterpret_cast<long>(to), long(size)));
  const char* const target = text_at(found.entry->target);
  const std::size_t length = strlen(target) < size ? strlen(target) : size;
  memcpy(to, target, length);
  return ssize_t(length);
}

char* resolved_path(const char* path, char* to, std::uint32_t site) {
  if (environment_is_real()) return real(&RealFunctions::realpath)(path, to);
  Found& found = first_found();
  FileStep step(INSPECT_OP_FileRead, names_read(path, false), {}, site);
  int error = path ? find_name(AT_FDCWD, path, true, found) : EINVAL;
  if (!error && found.kind == NameKind::missing) error = ENOENT;
  if (!error && found.kind == NameKind::descriptor) report_unsupported("realpath of a descriptor's name", site);
  step.done(error != 0);
  if (error) return errno = error, nullptr;
  const char* const result = *found.path ? found.path : "/";
  if (!to) to = static_cast<char*>(malloc(strlen(result) + 1));
  access_for_call(to, strlen(result) + 1, true, site);
  return strcpy(to, result);
}

char* present_directory(char* to, size_t size, std::uint32_t site) {
  if (environment_is_real()) {
    char* const buffer = to ? to : static_cast<char*>(malloc(size ? size : kPathBytes));
    const long length = system_call(SYS_getcwd, reinterpret_cast<long>(buffer), long(size ? size : kPathBytes));
    return length < 0 ? (errno = int(-length), nullptr) : buffer;
  }
  FileStep step(INSPECT_OP_FileRead, {INSPECT_WORKING_DIRECTORY_OBJECT, 16, INSPECT_FILE_NAMES_OBJECT}, {}, site);
  step.done();
  const char* const directory = *file_names().directory ? file_names().directory : "/";
  const std::size_t needed = strlen(directory) + 1;
  if (!to)
    to = static_cast<char*>(malloc(size > needed ? size : needed));
  else if (size < needed)
    return errno = size ? ERANGE : EINVAL, nullptr;
  access_for_call(to, needed, true, site);
  return strcpy(to, directory);
}

}  // namespace

#define SITE INSPECT_CALLER_SITE()
INSPECT_EXPORT int stat(const char* path, struct stat* to) noexcept { return status(AT_FDCWD, path, 0, to, SITE); }
INSPECT_EXPORT int lstat(const char* path, struct stat* to) noexcept {
  return status(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, to, SITE);
}
INSPECT_EXPORT int fstat(int fd, struct stat* to) noexcept { return status(fd, "", AT_EMPTY_PATH, to, SITE); }
INSPECT_EXPORT int fstatat(int directory, const char* path, struct stat* to, int flags) noexcept {
  return status(directory, path, flags, to, SITE);
}
// The same structure on this machine.
INSPECT_EXPORT int stat64(const char* path, struct stat64* to) noexcept {
  return status(AT_FDCWD, path, 0, reinterpret_cast<struct stat*>(to), SITE);
}
INSPECT_EXPORT int lstat64(const char* path, struct stat64* to) noexcept {
  return status(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, reinterpret_cast<struct stat*>(to), SITE);
}
INSPECT_EXPORT int fstat64(int fd, struct stat64* to) noexcept {
  return status(fd, "", AT_EMPTY_PATH, reinterpret_cast<struct stat*>(to), SITE);
}
INSPECT_EXPORT int fstatat64(int directory, const char* path, struct stat64* to, int flags) noexcept {
  return status(directory, path, flags, reinterpret_cast<struct stat*>(to), SITE);
}
INSPECT_EXPORT int __xstat(int, const char* path, struct stat* to) noexcept { return status(AT_FDCWD, path, 0, to, SITE); }
INSPECT_EXPORT int __lxstat(int, const char* path, struct stat* to) noexcept {
  return status(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, to, SITE);
}
INSPECT_EXPORT int __fxstat(int, int fd, struct stat* to) noexcept { return status(fd, "", AT_EMPTY_PATH, to, SITE); }
INSPECT_EXPORT int __fxstatat(int, int directory, const char* path, struct stat* to, int flags) noexcept {
  return status(directory, path, flags, to, SITE);
}
INSPECT_EXPORT int statx(int directory, const char* path, int flags, unsigned, struct statx* to) noexcept {
  struct stat result;
  const int failed = status(directory, path, flags & (AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW), &result, SITE, false);
  if (failed) return failed;
  access_for_call(to, sizeof *to, true, SITE);
  to_statx(result, to);
  return 0;
}

INSPECT_EXPORT int access(const char* path, int wanted) noexcept { return accessible(AT_FDCWD, path, wanted, 0, SITE); }
INSPECT_EXPORT int euidaccess(const char* path, int wanted) noexcept {
  return accessible(AT_FDCWD, path, wanted, AT_EACCESS, SITE);
}
INSPECT_EXPORT int eaccess(const char* path, int wanted) noexcept {
  return accessible(AT_FDCWD, path, wanted, AT_EACCESS, SITE);
}
INSPECT_EXPORT int faccessat(int directory, const char* path, int wanted, int flags) noexcept {
  return accessible(directory, path, wanted, flags, SITE);
}
INSPECT_EXPORT ssize_t readlink(const char* path, char* to, size_t size) noexcept {
  return target_of_link(AT_FDCWD, path, to, size, SITE);
}
INSPECT_EXPORT ssize_t __readlink_chk(const char* path, char* to, size_t size, size_t) noexcept {
  return target_of_link(AT_FDCWD, path, to, size, SITE);
}
INSPECT_EXPORT ssize_t readlinkat(int directory, const char* path, char* to, size_t size) noexcept {
  return target_of_link(directory, path, to, size, SITE);
}
INSPECT_EXPORT ssize_t __readlinkat_chk(int directory, const char* path, char* to, size_t size, size_t) noexcept {
  return target_of_link(directory, path, to, size, SITE);
}
INSPECT_EXPORT char* realpath(const char* path, char* to) noexcept { return resolved_path(path, to, SITE); }
INSPECT_EXPORT char* __realpath_chk(const char* path, char* to, size_t) noexcept { return resolved_path(path, to, SITE); }
INSPECT_EXPORT char* canonicalize_file_name(const char* path) noexcept { return resolved_path(path, nullptr, SITE); }
INSPECT_EXPORT char* getcwd(char* to, size_t size) noexcept { return present_directory(to, size, SITE); }
INSPECT_EXPORT char* __getcwd_chk(char* to, size_t size, size_t) noexcept { return present_directory(to, size, SITE); }
INSPECT_EXPORT char* get_current_dir_name(void) noexcept { return present_directory(nullptr, 0, SITE); }

// Free space changes by itself: a fixed answer.
namespace {
void describe_system(struct statvfs* to) {
  memset(to, 0, sizeof *to);
  to->f_bsize = to->f_frsize = 4096;
  to->f_blocks = 1 << 24;
  to->f_bfree = to->f_bavail = 1 << 23;
  to->f_files = 1 << 20;
  to->f_ffree = to->f_favail = 1 << 19;
  to->f_namemax = 255;
}
int system_status(const char* path, struct statvfs* to, std::uint32_t site) {
  struct stat unused;
  if (status(AT_FDCWD, path, 0, &unused, site, false)) return -1;
  access_for_call(to, sizeof *to, true, site);
  describe_system(to);
  return 0;
}
int system_status(int fd, struct statvfs* to, std::uint32_t site) {
  if (!environment_is_real() && !FileUse(fd, site)) return -1;
  access_for_call(to, sizeof *to, true, site);
  describe_system(to);
  return 0;
}
}  // namespace
INSPECT_EXPORT int statvfs(const char* path, struct statvfs* to) noexcept { return system_status(path, to, SITE); }
INSPECT_EXPORT int statvfs64(const char* path, struct statvfs64* to) noexcept {
  return system_status(path, reinterpret_cast<struct statvfs*>(to), SITE);
}
INSPECT_EXPORT int fstatvfs(int fd, struct statvfs* to) noexcept { return system_status(fd, to, SITE); }
INSPECT_EXPORT int fstatvfs64(int fd, struct statvfs64* to) noexcept {
  return system_status(fd, reinterpret_cast<struct statvfs*>(to), SITE);
}
INSPECT_EXPORT int statfs(const char* path, struct statfs* to) noexcept {
  if (environment_is_real())
    return int(with_errno(system_call(SYS_statfs, reinterpret_cast<long>(path), reinterpret_cast<long>(to))));
  report_unsupported("statfs: file systems are not modelled", SITE);
}
INSPECT_EXPORT int fstatfs(int fd, struct statfs* to) noexcept {
  if (environment_is_real()) return int(with_errno(system_call(SYS_fstatfs, fd, reinterpret_cast<long>(to))));
  report_unsupported("fstatfs: file systems are not modelled", SITE);
}
