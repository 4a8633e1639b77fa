#include "runtime/environment/file_names.hpp"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "runtime/environment/descriptors.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

constexpr unsigned kMostLinks = 40;

std::uint64_t hash_of(const char* text) {  // FNV-1a
  std::uint64_t h = 0xcbf29ce484222325ull;
  for (; *text; ++text) h = (h ^ std::uint8_t(*text)) * 0x100000001b3ull;
  return h;
}

// The number of the content's pseudo-address: all bits of the hash count, names often differ in one letter only.
std::uint32_t object_number(const char* path) {
  std::uint64_t h = hash_of(path);
  h = (h ^ h >> 32) * 0x9E3779B97F4A7C15ull;
  return std::uint32_t(h >> 32) % INSPECT_MAX_CONTENTS;
}

NameEntry* find_entry(const char* path) {
  FileNames& n = file_names();
  const std::uint64_t hash = hash_of(path);
  for (unsigned i = 0; i < n.entry_count; ++i)
    if (n.entries[i].hash == hash && !strcmp(text_at(n.entries[i].path), path)) return &n.entries[i];
  return nullptr;
}

bool starts_with(const char* text, const char* prefix) { return !strncmp(text, prefix, strlen(prefix)); }
bool equal(const char* a, const char* b) { return !strcmp(a, b); }

// "/dev/stdin", "/dev/fd/3": the descriptor's number, or -1.
int named_descriptor(const char* path) {
  static constexpr const char* kStandard[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
  for (int i = 0; i < 3; ++i)
    if (equal(path, kStandard[i])) return i;
  const char* digits = starts_with(path, "/dev/fd/") ? path + 8 : starts_with(path, "/proc/self/fd/") ? path + 14 : nullptr;
  if (!digits || !*digits) return -1;
  int number = 0;
  for (; *digits >= '0' && *digits <= '9' && number < INSPECT_MAX_DESCRIPTORS; ++digits) number = 10 * number + *digits - '0';
  return *digits ? -1 : number;
}

// Contents that differ from one moment to the next.
bool is_volatile(const char* path) { return starts_with(path, "/proc/") && !starts_with(path, "/proc/sys/"); }

NameKind kind_of_real(Found& found) {
  if (equal(found.path, "/dev/urandom") || equal(found.path, "/dev/random")) return NameKind::random;
  const char* const path = *found.path ? found.path : "/";
  if (system_call(SYS_newfstatat, AT_FDCWD, reinterpret_cast<long>(path), reinterpret_cast<long>(&found.status),
                  AT_SYMLINK_NOFOLLOW) < 0)
    return NameKind::missing;
  if (S_ISLNK(found.status.st_mode)) return NameKind::link;
  if (S_ISDIR(found.status.st_mode)) return NameKind::directory;
  if (S_ISREG(found.status.st_mode)) return is_volatile(found.path) ? NameKind::other : NameKind::file;
  const bool stateless = equal(found.path, "/dev/null") || equal(found.path, "/dev/zero") || equal(found.path, "/dev/full");
  return S_ISCHR(found.status.st_mode) && stateless ? NameKind::device : NameKind::other;
}

void classify(Found& found, bool parent_fresh) {
  found.entry = find_entry(found.path);
  found.parent_fresh = parent_fresh;
  if (found.entry && (found.entry->kind != NameKind::file || content_at(found.entry->content).copy >= 0)) {
    found.kind = found.entry->kind;
    return;
  }
  found.kind = parent_fresh ? NameKind::missing : kind_of_real(found);
}

void remove_last_name(char* path) {
  if (char* const slash = strrchr(path, '/')) *slash = 0;
}

// Puts a link's target in front of the rest of the path. 0 or an error number.
int expand_link(Found& found, const char* after) {
  FileNames& n = file_names();
  std::size_t length;
  if (found.entry) {
    length = strlen(text_at(found.entry->target));
    memcpy(n.spare, text_at(found.entry->target), length);
  } else {
    const long got = system_call(SYS_readlink, reinterpret_cast<long>(found.path), reinterpret_cast<long>(n.spare), kPathBytes);
    if (got <= 0) return ENOENT;
    length = std::size_t(got);
  }
  const std::size_t rest = strlen(after);
  if (length + rest + 2 > sizeof n.spare) return ENAMETOOLONG;
  n.spare[length] = '/';
  memcpy(n.spare + length + 1, after, rest + 1);
  if (*after == 0) n.spare[length] = 0;
  memcpy(n.rest, n.spare, length + rest + 2);
  if (n.rest[0] == '/')
    found.path[0] = 0;
  else
    remove_last_name(found.path);
  return 0;
}

int start_of_walk(int directory, const char* path, Found& found) {
  FileNames& n = file_names();
  if (!path) return EFAULT;
  if (!*path) return ENOENT;
  if (strlen(path) >= kPathBytes) return ENAMETOOLONG;
  if (*path == '/') {
    found.path[0] = 0;
  } else if (directory == AT_FDCWD) {
    strcpy(found.path, n.directory);
  } else {
    if (directory < INSPECT_MAX_DESCRIPTORS) return EBADF;
    const OpenFile* const f = &descriptors().files[directory - INSPECT_MAX_DESCRIPTORS];
    if (f->kind != OpenKind::directory) return ENOTDIR;
    strcpy(found.path, text_at(f->path));
  }
  strcpy(n.rest, path);
  return 0;
}

bool is_fresh(const char* path) {
  const NameEntry* const entry = find_entry(path);
  return entry && entry->fresh;
}

// One name of the path: appended to what is resolved so far. 0 or an error number.
int append_name(Found& found, const char* name, std::size_t length) {
  const std::size_t at = strlen(found.path);
  if (length > NAME_MAX || at + length + 2 > kPathBytes) return ENAMETOOLONG;
  found.path[at] = '/';
  memcpy(found.path + at + 1, name, length);
  found.path[at + 1 + length] = 0;
  return 0;
}

}  // namespace

DirectoryUse::DirectoryUse(int directory, const char* path, std::uint32_t site) : number_(directory) {
  if (directory == AT_FDCWD || !path || *path == '/') {
    number_ = AT_FDCWD;
    return;
  }
  if (several_threads() && unsigned(directory) < INSPECT_MAX_DESCRIPTORS) {
    FileStep step(INSPECT_OP_FileRead, descriptor_objects(directory), {}, site);
    file_ = open_file(directory);
    step.done();
  } else {
    file_ = open_file(directory);
  }
  number_ = file_ ? INSPECT_MAX_DESCRIPTORS + int(file_ - descriptors().files) : -1;
  if (file_) begin_use(*file_);
}

Objects names_read(const char* path, bool makes) {
  const bool relative = path && *path != '/';
  const unsigned bytes = makes      ? INSPECT_FILE_NAMES_ALL_BYTES
                         : relative ? INSPECT_FILE_NAMES_BYTES + 16
                                    : INSPECT_FILE_NAMES_BYTES;
  return {INSPECT_FILE_NAMES_OBJECT, bytes, INSPECT_FILE_NAMES_OBJECT};
}

int find_name(int directory, const char* path, bool follow_last, Found& found) {
  FileNames& n = file_names();
  found.descriptor = path && follow_last ? named_descriptor(path) : -1;
  if (found.descriptor >= 0) {
    found.kind = NameKind::descriptor;
    found.entry = nullptr;
    strcpy(found.path, path);
    return 0;
  }
  if (const int error = start_of_walk(directory, path, found)) return error;
  classify(found, false);  // a path without names: the root
  const char* at = n.rest;
  for (unsigned links = 0;;) {
    while (*at == '/') ++at;
    if (!*at) return 0;
    if (found.kind != NameKind::directory) return found.kind == NameKind::missing ? ENOENT : ENOTDIR;
    const std::size_t length = std::size_t(strchrnul(at, '/') - at);
    const char* const name = at;
    at += length;
    if (length == 1 && *name == '.') continue;
    if (length == 2 && name[0] == '.' && name[1] == '.') {
      remove_last_name(found.path);
      classify(found, false);
      continue;
    }
    const bool fresh = is_fresh(found.path);
    if (const int error = append_name(found, name, length)) return error;
    classify(found, fresh);
    const bool last = !*at;
    if (found.kind == NameKind::missing && *at) return at[strspn(at, "/")] ? ENOENT : 0;
    if (found.kind != NameKind::link || (last && !follow_last)) continue;
    if (++links > kMostLinks) return ELOOP;
    if (const int error = expand_link(found, at)) return error;
    classify(found, false);
    at = n.rest;
  }
}

std::uint32_t keep_text(const char* text) {
  FileNames& n = file_names();
  const std::size_t size = strlen(text) + 1;
  if (n.text_end + size > sizeof n.texts) report_limit(INSPECT_LIMIT_MEMORY, "too many names of files in one execution", 0);
  const std::uint32_t at = n.text_end;
  memcpy(n.texts + at, text, size);
  n.text_end += std::uint32_t(size);
  return at;
}

namespace {
NameEntry& entry_of(const char* path) {
  FileNames& n = file_names();
  if (NameEntry* const known = find_entry(path)) return *known;
  if (n.entry_count == sizeof n.entries / sizeof *n.entries)
    report_limit(INSPECT_LIMIT_MEMORY, "more than 4096 files used in one execution", 0);
  NameEntry& entry = n.entries[n.entry_count++];
  entry = {.hash = hash_of(path),
           .path = keep_text(path),
           .kind = NameKind::missing,
           .fresh = false,
           .content = -1,
           .target = 0,
           .mode = 0};
  state().descriptors_touched = true;
  return entry;
}
}  // namespace

NameEntry& change_name(const char* path, NameKind kind) {
  NameEntry& entry = entry_of(path);
  entry.kind = kind;
  entry.content = -1;
  entry.fresh = kind == NameKind::directory;
  ++file_names().changes;
  return entry;
}

bool directory_changed(const char* path) {
  FileNames& n = file_names();
  const std::size_t length = strlen(path);
  for (unsigned i = 0; i < n.entry_count; ++i) {
    const NameEntry& e = n.entries[i];
    const char* const name = text_at(e.path);
    const bool real = e.kind == NameKind::file && content_at(e.content).copy < 0;
    if (real || strncmp(name, path, length)) continue;
    if (name[length] == 0 || (name[length] == '/' && !strchr(name + length + 1, '/'))) return true;
  }
  return false;
}

std::int32_t new_content(const char* path, mode_t mode) {
  FileNames& n = file_names();
  if (n.content_count == sizeof n.contents / sizeof *n.contents)
    report_limit(INSPECT_LIMIT_MEMORY, "more than 1024 files opened in one execution", 0);
  state().descriptors_touched = true;
  n.contents[n.content_count] = {.copy = -1,
                                 .object = object_number(path),
                                 .path = keep_text(path),
                                 .mode = mode,
                                 .links = 1,
                                 .timed = false,
                                 .mapped = false,
                                 .accessed = {},
                                 .modified = {}};
  return std::int32_t(n.content_count++);
}

std::int32_t content_of(Found& found) {
  if (!found.entry) {
    const std::int32_t content = new_content(found.path, found.status.st_mode);
    found.entry = &entry_of(found.path);
    found.entry->kind = NameKind::file;
    found.entry->content = content;
  }
  return found.entry->content;
}

std::uint64_t content_object(const Found& found) {
  if (found.entry && found.entry->content >= 0) return object_of(content_at(found.entry->content));
  return inspect_content_object(object_number(found.path));
}

int memory_file(const char* name) {
  const long raw = system_call(SYS_memfd_create, reinterpret_cast<long>(name), 1 /* close on exec */);
  if (raw < 0) report_limit(INSPECT_LIMIT_MEMORY, "no memory for the copy of a file", 0);
  return keep_out_of_the_way(int(raw));
}

void redirect_readers(std::int32_t content) {
  DescriptorTable& t = descriptors();
  for (unsigned file = 0; file < t.files_end; ++file) {
    const OpenFile& f = t.files[file];
    if (f.kind != OpenKind::file || f.content != content || f.raw < 0) continue;
    const long offset = system_call(SYS_lseek, f.raw, 0, SEEK_CUR);
    const long raw = open_content(content, f.flags & (O_ACCMODE | O_APPEND | O_NONBLOCK));
    if (raw < 0) report_limit(INSPECT_LIMIT_MEMORY, "the private copy of a file cannot be opened", 0);
    system_call(SYS_lseek, raw, offset, SEEK_SET);
    replace_behind(f, int(raw));
  }
}

int make_private(std::int32_t number) {
  Content& c = content_at(number);
  if (c.copy >= 0) return 0;
  if (c.mapped) report_unsupported("a file is written while it is mapped into memory", 0);
  const long from = system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(text_at(c.path)), O_RDONLY | O_CLOEXEC);
  if (from < 0) return int(-from);
  struct stat status{};
  system_call(SYS_fstat, from, reinterpret_cast<long>(&status));
  if (status.st_nlink > 1) report_unsupported("a file with several names (hard links) is changed", 0);
  const int copy = memory_file("inspect-copy");
  for (long n; (n = system_call(SYS_sendfile, copy, from, 0, 1 << 30)) > 0;) {
  }
  system_call(SYS_close, from);
  c.copy = copy;
  c.mode = status.st_mode;
  ++file_names().changes;
  redirect_readers(number);
  return 0;
}

long open_content(std::int32_t number, int flags) {
  const Content& c = content_at(number);
  if (c.copy < 0)
    return system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(text_at(c.path)), flags & ~(O_CREAT | O_EXCL | O_TRUNC));
  char path[32] = "/proc/self/fd/";
  std::size_t at = strlen(path);
  char digits[12];
  unsigned count = 0;
  for (int n = c.copy; n; n /= 10) digits[count++] = char('0' + n % 10);
  while (count) path[at++] = digits[--count];
  path[at] = 0;
  return system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path),
                     flags & (O_ACCMODE | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_SYNC));
}

namespace {
// Of what exists only here: as the process's own file.
int own_permission(mode_t mode, int wanted) {
  if (geteuid() == 0) return 0;
  const mode_t owner = mode >> 6 & 7;
  return (mode_t(wanted) & ~owner & 7) ? EACCES : 0;
}
}  // namespace

int check_permission(const Found& found, int wanted) {
  if (found.kind == NameKind::missing) return ENOENT;
  if (found.entry && found.entry->kind == NameKind::directory) return own_permission(found.entry->mode, wanted);
  if (found.entry && found.entry->kind == NameKind::file && content_at(found.entry->content).copy >= 0)
    return own_permission(content_at(found.entry->content).mode, wanted);
  if (found.kind == NameKind::random) return 0;
  const char* const path = *found.path ? found.path : "/";
  const long result = system_call(SYS_faccessat2, AT_FDCWD, reinterpret_cast<long>(path), wanted, AT_EACCESS);
  return int(-result);
}

int check_parent(const Found& found) {
  FileNames& n = file_names();
  strcpy(n.spare, found.path);
  remove_last_name(n.spare);
  const NameEntry* const parent = find_entry(n.spare);
  if (parent) return parent->kind == NameKind::directory ? own_permission(parent->mode, W_OK) : ENOENT;
  const char* const path = *n.spare ? n.spare : "/";
  return int(-system_call(SYS_faccessat2, AT_FDCWD, reinterpret_cast<long>(path), W_OK, AT_EACCESS));
}

void boot_file_names() {
  FileNames& n = file_names();
  n.text_end = 1;
  const long length = system_call(SYS_getcwd, reinterpret_cast<long>(n.directory), sizeof n.directory);
  if (length <= 0 || n.directory[0] != '/' || equal(n.directory, "/")) n.directory[0] = 0;
  strcpy(n.directory_at_boot, n.directory);
  n.mask_at_boot = n.mask = mode_t(system_call(SYS_umask, 022));
  system_call(SYS_umask, n.mask);
}

void reset_file_names() {
  FileNames& n = file_names();
  for (unsigned i = 0; i < n.content_count; ++i)
    if (n.contents[i].copy >= 0) system_call(SYS_close, n.contents[i].copy);
  n.content_count = n.entry_count = n.changes = 0;
  n.text_end = 1;
  if (n.directory_changed) {
    strcpy(n.directory, n.directory_at_boot);
    system_call(SYS_chdir, reinterpret_cast<long>(*n.directory ? n.directory : "/"));
    n.directory_changed = false;
  }
  n.mask = n.mask_at_boot;
}

}  // namespace inspect::runtime
