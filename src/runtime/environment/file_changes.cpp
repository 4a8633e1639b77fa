// Changes of the file system: names made, moved and removed, modes and times. All of it stays within the execution.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "runtime/environment/file_names.hpp"
#include "runtime/environment/files.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/virtual_time.hpp"
#include "runtime/upcalls/environment_ready.hpp"
#include "runtime/upcalls/reports.hpp"

using namespace inspect::runtime;

namespace {

int outcome(int error) { return error ? (errno = error, -1) : 0; }

Objects all_names() { return {INSPECT_FILE_NAMES_OBJECT, INSPECT_FILE_NAMES_ALL_BYTES, INSPECT_FILE_NAMES_OBJECT}; }
// Which of them a name stands for is known only when its turn has come.
Objects all_contents() {
  const Objects all = hull(inspect_content_object(0), inspect_content_object(INSPECT_MAX_CONTENTS - 1));
  return {all.at, all.size, 0};
}
Objects content_found(const Found& found) { return found.kind == NameKind::file ? Objects(content_object(found)) : Objects(); }

// Looks up a name and changes what it stands for, as one step on the names and on what is told of a file itself (how many names
// it has, mode, times). change: 0 or an error number.
template <class Change>
int change_found(int directory, const char* path, bool follow, std::uint32_t site, Change&& change) {
  Found& found = first_found();
  const DirectoryUse base(directory, path, site);
  FileStep step(INSPECT_OP_FileOperation, all_names(), all_contents(), site);
  int error = find_name(base.number(), path, follow, found);
  const Objects content = error ? Objects() : content_found(found);
  order_along(content.edge, true);
  if (!error && (found.kind == NameKind::other || found.kind == NameKind::descriptor || found.kind == NameKind::random))
    report_unsupported(format_message("a change of %s: such files are not modelled", found.path), site);
  if (!error) error = change(found);
  step.done_as(error ? INSPECT_OP_FileRead : INSPECT_OP_FileOperation, all_names(), error ? Objects() : content);
  return outcome(error);
}

void drop_link(Found& found) {
  if (found.kind == NameKind::file) --content_at(content_of(found)).links;
}

int remove_file(Found& found) {
  if (found.kind == NameKind::missing) return ENOENT;
  if (found.kind == NameKind::directory) return EISDIR;
  if (const int error = check_parent(found)) return error;
  if (found.kind == NameKind::file && content_of(found) >= 0 && content_at(found.entry->content).copy < 0) {
    // Whoever has it open keeps the real content; its number of names is told from the copy.
    if (const int error = make_private(found.entry->content)) return error;
  }
  drop_link(found);
  change_name(found.path, NameKind::missing);
  return 0;
}

// Names that exist below a directory, here or really.
bool is_empty(const Found& directory) {
  FileNames& n = file_names();
  const std::size_t length = strlen(directory.path);
  for (unsigned i = 0; i < n.entry_count; ++i) {
    const char* const name = text_at(n.entries[i].path);
    if (n.entries[i].kind != NameKind::missing && !strncmp(name, directory.path, length) && name[length] == '/') return false;
  }
  return true;
}

bool really_empty(const Found& directory, std::uint32_t site) {
  const long fd = system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(directory.path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) report_unsupported("a directory is removed that cannot be read", site);
  char block[1024];
  bool empty = true;
  for (long n; empty && (n = system_call(SYS_getdents64, fd, reinterpret_cast<long>(block), sizeof block)) > 0;)
    for (long at = 0; at < n; at += *reinterpret_cast<std::uint16_t*>(block + at + 16)) {
      const char* const name = block + at + 19;
      if (!strcmp(name, ".") || !strcmp(name, "..")) continue;
      Found& below = second_found();
      strcpy(below.path, directory.path);
      strcat(below.path, "/");
      strncat(below.path, name, 255);
      if (find_name(AT_FDCWD, text_at(keep_text(below.path)), false, below) || below.kind != NameKind::missing) empty = false;
    }
  system_call(SYS_close, fd);
  return empty;
}

int remove_directory(Found& found, std::uint32_t site) {
  if (found.kind == NameKind::missing) return ENOENT;
  if (found.kind != NameKind::directory) return ENOTDIR;
  if (!*found.path) return EBUSY;
  if (const int error = check_parent(found)) return error;
  const bool real = !found.entry;
  if (!is_empty(found) || (real && !really_empty(found, site))) return ENOTEMPTY;
  change_name(found.path, NameKind::missing);
  return 0;
}

int make_directory(Found& found, mode_t mode) {
  if (found.kind != NameKind::missing) return EEXIST;
  if (const int error = check_parent(found)) return error;
  change_name(found.path, NameKind::directory).mode = mode & 07777 & ~file_names().mask;
  return 0;
}

int make_link(Found& found, const char* target) {
  if (!*target) return ENOENT;
  if (found.kind != NameKind::missing) return EEXIST;
  if (const int error = check_parent(found)) return error;
  const std::uint32_t text = keep_text(target);
  change_name(found.path, NameKind::link).target = text;
  return 0;
}

// Everything below a directory that this execution made moves along with it.
void move_below(const char* from, const char* to) {
  FileNames& n = file_names();
  const std::size_t length = strlen(from);
  const unsigned count = n.entry_count;
  for (unsigned i = 0; i < count; ++i) {
    const NameEntry old = n.entries[i];
    const char* const name = text_at(old.path);
    if (old.kind == NameKind::missing || strncmp(name, from, length) || name[length] != '/') continue;
    strcpy(n.spare, to);
    strcat(n.spare, name + length);
    const std::uint32_t moved = keep_text(n.spare);
    NameEntry& entry = change_name(text_at(moved), old.kind);
    entry.content = old.content;
    entry.fresh = old.fresh;
    entry.target = old.target;
    entry.mode = old.mode;
    n.entries[i].kind = NameKind::missing;
  }
}

bool is_below(const char* path, const char* directory) {
  const std::size_t length = strlen(directory);
  return !strncmp(path, directory, length) && path[length] == '/';
}

// May `from` take the place of `to`? 0 or an error number; *same: they are one file, nothing happens.
int check_move(Found& from, Found& to, unsigned flags, bool* same, std::uint32_t site) {
  *same = false;
  if (from.kind == NameKind::missing) return ENOENT;
  if (int error = check_parent(from); error || (error = check_parent(to))) return error;
  if (from.kind == NameKind::directory && (!from.entry || !from.entry->fresh))
    report_unsupported("rename of a directory that existed before", site);
  if (from.kind == NameKind::directory && is_below(to.path, from.path)) return EINVAL;
  const char* const here = file_names().directory;
  if (from.kind == NameKind::directory && (!strcmp(here, from.path) || is_below(here, from.path)))
    report_unsupported("rename of the working directory, or of one above it", site);
  if (to.kind == NameKind::missing) return 0;
  if (flags & RENAME_NOREPLACE) return EEXIST;
  if (!strcmp(from.path, to.path)) return *same = true, 0;
  if (from.kind == NameKind::directory) {
    if (to.kind != NameKind::directory) return ENOTDIR;
    return !is_empty(to) || (!to.entry && !really_empty(to, site)) ? ENOTEMPTY : 0;
  }
  if (to.kind == NameKind::directory) return EISDIR;
  *same = from.kind == NameKind::file && to.kind == NameKind::file && content_of(from) == content_of(to);
  return 0;
}

void move_name(Found& from, Found& to) {
  if (from.kind == NameKind::file) make_private(content_of(from));
  if (to.kind == NameKind::file) drop_link(to);
  const std::uint32_t source = keep_text(from.path), target = keep_text(to.path);
  const bool made = from.entry && from.entry->kind != NameKind::file;
  const std::int32_t content = from.kind == NameKind::file ? content_of(from) : -1;
  const std::uint32_t link = made ? from.entry->target : 0;
  const mode_t mode = made ? from.entry->mode : 0;
  NameEntry& entry = change_name(text_at(target), from.kind);
  entry.content = content;
  entry.target = link;
  entry.mode = mode;
  change_name(text_at(source), NameKind::missing);
  if (from.kind == NameKind::directory) move_below(text_at(source), text_at(target));
}

int rename_found(Found& from, Found& to, unsigned flags, std::uint32_t site) {
  bool same;
  if (const int error = check_move(from, to, flags, &same, site)) return error;
  if (same) return 0;
  if (from.kind == NameKind::link && !from.entry) {  // a real link: made again under the new name
    FileNames& n = file_names();
    const long length =
        system_call(SYS_readlink, reinterpret_cast<long>(from.path), reinterpret_cast<long>(n.spare), kPathBytes - 1);
    if (length <= 0) return ENOENT;
    n.spare[length] = 0;
    const std::uint32_t target = keep_text(n.spare);
    from.entry = &change_name(from.path, NameKind::link);
    from.entry->target = target;
  }
  if (from.kind != NameKind::file && from.kind != NameKind::directory && from.kind != NameKind::link)
    report_unsupported("rename of a special file", site);
  move_name(from, to);
  return 0;
}

int rename_path(int from_directory, const char* from, int to_directory, const char* to, unsigned flags, std::uint32_t site) {
  if (environment_is_real())
    return int(with_errno(system_call(SYS_renameat2, from_directory, reinterpret_cast<long>(from), to_directory,
                                      reinterpret_cast<long>(to), flags)));
  if (flags & ~unsigned(RENAME_NOREPLACE)) report_unsupported("renameat2: exchanging names", site);
  const DirectoryUse from_base(from_directory, from, site), to_base(to_directory, to, site);
  FileStep step(INSPECT_OP_FileOperation, all_names(), all_contents(), site);
  int error = find_name(from_base.number(), from, false, first_found());
  if (!error) error = find_name(to_base.number(), to, false, second_found());
  const Objects replaced = error ? Objects() : content_found(second_found());
  order_along(replaced.edge, true);
  if (!error) error = rename_found(first_found(), second_found(), flags, site);
  step.done_as(error ? INSPECT_OP_FileRead : INSPECT_OP_FileOperation, all_names(), error ? Objects() : replaced);
  return outcome(error);
}

int link_path(int from_directory, const char* from, int to_directory, const char* to, int flags, std::uint32_t site) {
  if (environment_is_real())
    return int(with_errno(system_call(SYS_linkat, from_directory, reinterpret_cast<long>(from), to_directory,
                                      reinterpret_cast<long>(to), flags)));
  const DirectoryUse from_base(from_directory, from, site), to_base(to_directory, to, site);
  FileStep step(INSPECT_OP_FileOperation, all_names(), all_contents(), site);
  Found &source = first_found(), &target = second_found();
  int error = find_name(from_base.number(), from, flags & AT_SYMLINK_FOLLOW, source);
  if (!error) error = find_name(to_base.number(), to, false, target);
  const Objects linked = error ? Objects() : content_found(source);
  order_along(linked.edge, true);
  if (!error) error = source.kind == NameKind::missing ? ENOENT : source.kind == NameKind::directory ? EPERM : 0;
  if (!error) error = target.kind != NameKind::missing ? EEXIST : check_parent(target);
  if (!error && source.kind != NameKind::file) report_unsupported("a hard link to what is no file", site);
  if (!error) error = make_private(content_of(source));
  if (!error) {
    const std::int32_t content = content_of(source);
    change_name(target.path, NameKind::file).content = content;
    ++content_at(content).links;
  }
  step.done_as(error ? INSPECT_OP_FileRead : INSPECT_OP_FileOperation, all_names(), error ? Objects() : linked);
  return outcome(error);
}

// Modes and times belong to the content: a private copy gets them.
template <class Change>
int change_content(int directory, const char* path, int flags, std::uint32_t site, Change&& change) {
  const auto on_found = [&](Found& found) {
    if (found.kind == NameKind::missing) return ENOENT;
    if (found.kind == NameKind::directory) {
      if (!found.entry) report_unsupported("a change of a directory that existed before", site);
      return 0;
    }
    if (found.kind != NameKind::file) return 0;
    const std::int32_t content = content_of(found);
    if (const int error = make_private(content)) return error;
    change(content_at(content));
    return 0;
  };
  return change_found(directory, path, !(flags & AT_SYMLINK_NOFOLLOW), site, on_found);
}
template <class Change>
int change_open_content(int fd, std::uint32_t site, Change&& change) {
  FileUse f(fd, site);
  if (!f) return -1;
  if (f->kind != OpenKind::file || f->content < 0) return 0;
  FileStep step(INSPECT_OP_FileOperation, object_of(content_at(f->content)), all_names(), site);
  const int error = make_private(f->content);
  if (!error) change(content_at(f->content));
  step.done(error != 0);
  return outcome(error);
}

timespec time_of(const timespec& wanted, const timespec& before) {
  if (wanted.tv_nsec == UTIME_OMIT) return before;
  if (wanted.tv_nsec != UTIME_NOW) return wanted;
  const std::uint64_t now = read_clock();
  return {time_t(kEpochSeconds + now / 1'000'000'000), long(now % 1'000'000'000)};
}
void set_times(Content& c, const timespec* times) {
  static constexpr timespec kNow[2] = {{0, UTIME_NOW}, {0, UTIME_NOW}};
  if (!times) times = kNow;
  if (!c.timed) c.accessed = c.modified = {time_t(kEpochSeconds), 0};
  c.timed = true;
  c.accessed = time_of(times[0], c.accessed);
  c.modified = time_of(times[1], c.modified);
}

int set_path_times(int directory, const char* path, const timespec* times, int flags, std::uint32_t site) {
  if (environment_is_real())
    return int(
        with_errno(system_call(SYS_utimensat, directory, reinterpret_cast<long>(path), reinterpret_cast<long>(times), flags)));
  return change_content(directory, path, flags, site, [&](Content& c) { set_times(c, times); });
}
int set_open_times(int fd, const timespec* times, std::uint32_t site) {
  if (environment_is_real()) return int(with_errno(system_call(SYS_utimensat, fd, 0, reinterpret_cast<long>(times), 0)));
  return change_open_content(fd, site, [&](Content& c) { set_times(c, times); });
}
int set_path_times(int directory, const char* path, const timeval* times, int flags, std::uint32_t site) {
  timespec fine[2];
  for (int i = 0; times && i < 2; ++i) fine[i] = {times[i].tv_sec, times[i].tv_usec * 1000};
  return set_path_times(directory, path, times ? fine : nullptr, flags, site);
}

void set_mode(Content& c, mode_t mode) { c.mode = (c.mode & S_IFMT) | (mode & 07777); }
int set_path_mode(int directory, const char* path, mode_t mode, int flags, std::uint32_t site) {
  if (environment_is_real()) return int(with_errno(system_call(SYS_fchmodat, directory, reinterpret_cast<long>(path), mode)));
  return change_content(directory, path, flags, site, [&](Content& c) { set_mode(c, mode); });
}

// Owners are the process's own; giving files away needs rights that an execution does not use.
int set_owner(int directory, const char* path, uid_t user, gid_t group, int flags, std::uint32_t site) {
  if (environment_is_real())
    return int(with_errno(system_call(SYS_fchownat, directory, reinterpret_cast<long>(path), user, group, flags)));
  if ((user != uid_t(-1) && user != geteuid()) || (group != gid_t(-1) && group != getegid()))
    report_unsupported("chown: another owner of a file", site);
  return change_content(directory, path, flags, site, [](Content&) {});
}

int go_to(Found& found) {
  if (found.kind == NameKind::missing) return ENOENT;
  if (found.kind != NameKind::directory) return ENOTDIR;
  FileNames& n = file_names();
  strcpy(n.directory, found.path);
  n.directory_changed = state().descriptors_touched = true;
  if (!found.entry) system_call(SYS_chdir, reinterpret_cast<long>(*found.path ? found.path : "/"));
  return 0;
}

int remove_path(int directory, const char* path, int flags, std::uint32_t site) {
  if (environment_is_real()) return int(with_errno(system_call(SYS_unlinkat, directory, reinterpret_cast<long>(path), flags)));
  return change_found(directory, path, false, site,
                      [&](Found& found) { return flags & AT_REMOVEDIR ? remove_directory(found, site) : remove_file(found); });
}

}  // namespace

#define SITE INSPECT_CALLER_SITE()
INSPECT_EXPORT int unlink(const char* path) noexcept { return remove_path(AT_FDCWD, path, 0, SITE); }
INSPECT_EXPORT int rmdir(const char* path) noexcept { return remove_path(AT_FDCWD, path, AT_REMOVEDIR, SITE); }
INSPECT_EXPORT int unlinkat(int directory, const char* path, int flags) noexcept {
  return remove_path(directory, path, flags, SITE);
}
INSPECT_EXPORT int remove(const char* path) noexcept {
  const int result = remove_path(AT_FDCWD, path, 0, SITE);
  return result < 0 && (errno == EISDIR || errno == EPERM) ? remove_path(AT_FDCWD, path, AT_REMOVEDIR, SITE) : result;
}
INSPECT_EXPORT int rename(const char* from, const char* to) noexcept {
  return rename_path(AT_FDCWD, from, AT_FDCWD, to, 0, SITE);
}
INSPECT_EXPORT int renameat(int a, const char* from, int b, const char* to) noexcept {
  return rename_path(a, from, b, to, 0, SITE);
}
INSPECT_EXPORT int renameat2(int a, const char* from, int b, const char* to, unsigned flags) noexcept {
  return rename_path(a, from, b, to, flags, SITE);
}
INSPECT_EXPORT int link(const char* from, const char* to) noexcept { return link_path(AT_FDCWD, from, AT_FDCWD, to, 0, SITE); }
INSPECT_EXPORT int linkat(int a, const char* from, int b, const char* to, int flags) noexcept {
  return link_path(a, from, b, to, flags, SITE);
}
INSPECT_EXPORT int symlinkat(const char* target, int directory, const char* path) noexcept {
  if (environment_is_real())
    return int(with_errno(system_call(SYS_symlinkat, reinterpret_cast<long>(target), directory, reinterpret_cast<long>(path))));
  return change_found(directory, path, false, SITE, [&](Found& found) { return make_link(found, target); });
}
INSPECT_EXPORT int symlink(const char* target, const char* path) noexcept { return symlinkat(target, AT_FDCWD, path); }
INSPECT_EXPORT int mkdirat(int directory, const char* path, mode_t mode) noexcept {
  if (environment_is_real()) return int(with_errno(system_call(SYS_mkdirat, directory, reinterpret_cast<long>(path), mode)));
  return change_found(directory, path, false, SITE, [&](Found& found) { return make_directory(found, mode); });
}
INSPECT_EXPORT int mkdir(const char* path, mode_t mode) noexcept { return mkdirat(AT_FDCWD, path, mode); }

INSPECT_EXPORT int chdir(const char* path) noexcept {
  if (environment_is_real()) return int(with_errno(system_call(SYS_chdir, reinterpret_cast<long>(path))));
  return change_found(AT_FDCWD, path, true, SITE, go_to);
}
INSPECT_EXPORT int fchdir(int fd) noexcept {
  if (environment_is_real()) return int(with_errno(system_call(SYS_fchdir, fd)));
  FileUse f(fd, SITE);
  if (!f) return -1;
  if (f->kind != OpenKind::directory) return errno = ENOTDIR, -1;
  return change_found(AT_FDCWD, *text_at(f->path) ? text_at(f->path) : "/", true, SITE, go_to);
}
INSPECT_EXPORT mode_t umask(mode_t mask) noexcept {
  if (environment_is_real()) return mode_t(system_call(SYS_umask, mask));
  FileStep step(INSPECT_OP_FileOperation, {INSPECT_FILE_MASK_OBJECT, 16, INSPECT_FILE_NAMES_OBJECT}, {}, SITE);
  const mode_t before = file_names().mask;
  file_names().mask = mask & 0777;
  state().descriptors_touched = true;
  step.done();
  return before;
}

INSPECT_EXPORT int chmod(const char* path, mode_t mode) noexcept { return set_path_mode(AT_FDCWD, path, mode, 0, SITE); }
INSPECT_EXPORT int fchmodat(int directory, const char* path, mode_t mode, int flags) noexcept {
  return set_path_mode(directory, path, mode, flags, SITE);
}
INSPECT_EXPORT int fchmod(int fd, mode_t mode) noexcept {
  if (environment_is_real()) return int(with_errno(system_call(SYS_fchmod, fd, mode)));
  return change_open_content(fd, SITE, [&](Content& c) { set_mode(c, mode); });
}
INSPECT_EXPORT int chown(const char* path, uid_t user, gid_t group) noexcept {
  return set_owner(AT_FDCWD, path, user, group, 0, SITE);
}
INSPECT_EXPORT int lchown(const char* path, uid_t user, gid_t group) noexcept {
  return set_owner(AT_FDCWD, path, user, group, AT_SYMLINK_NOFOLLOW, SITE);
}
INSPECT_EXPORT int fchownat(int directory, const char* path, uid_t user, gid_t group, int flags) noexcept {
  return set_owner(directory, path, user, group, flags, SITE);
}
INSPECT_EXPORT int fchown(int fd, uid_t user, gid_t group) noexcept {
  if (environment_is_real()) return int(with_errno(system_call(SYS_fchown, fd, user, group)));
  if ((user != uid_t(-1) && user != geteuid()) || (group != gid_t(-1) && group != getegid()))
    report_unsupported("fchown: another owner of a file", SITE);
  return FileUse(fd, SITE) ? 0 : -1;
}

// Null means the descriptor itself, although the library's header says that null is never passed.
INSPECT_EXPORT int inspect_utimensat(int directory, const char* path, const timespec* times, int flags) asm("utimensat");
int inspect_utimensat(int directory, const char* path, const timespec* times, int flags) {
  return path ? set_path_times(directory, path, times, flags, SITE) : set_open_times(directory, times, SITE);
}
INSPECT_EXPORT int futimens(int fd, const timespec* times) noexcept { return set_open_times(fd, times, SITE); }
INSPECT_EXPORT int utimes(const char* path, const timeval* times) noexcept {
  return set_path_times(AT_FDCWD, path, times, 0, SITE);
}
INSPECT_EXPORT int lutimes(const char* path, const timeval* times) noexcept {
  return set_path_times(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW, SITE);
}
INSPECT_EXPORT int futimesat(int directory, const char* path, const timeval* times) noexcept {
  return set_path_times(directory, path, times, 0, SITE);
}
INSPECT_EXPORT int futimes(int fd, const timeval* times) noexcept {
  timespec fine[2];
  for (int i = 0; times && i < 2; ++i) fine[i] = {times[i].tv_sec, times[i].tv_usec * 1000};
  return set_open_times(fd, times ? fine : nullptr, SITE);
}
INSPECT_EXPORT int utime(const char* path, const utimbuf* times) noexcept {
  const timeval fine[2] = {{times ? times->actime : 0, 0}, {times ? times->modtime : 0, 0}};
  return set_path_times(AT_FDCWD, path, times ? fine : nullptr, 0, SITE);
}

INSPECT_EXPORT int truncate(const char* path, off_t size) noexcept {
  if (environment_is_real()) return int(with_errno(system_call(SYS_truncate, reinterpret_cast<long>(path), size)));
  const int fd = open_path(AT_FDCWD, path, O_WRONLY, 0, SITE);
  if (fd < 0) return -1;
  const int result = ftruncate(fd, size);
  close_descriptor(fd, SITE);
  return result;
}
INSPECT_EXPORT int truncate64(const char* path, off_t size) noexcept { return truncate(path, size); }
