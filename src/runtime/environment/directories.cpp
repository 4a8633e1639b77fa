// Reading directories: the real ones, as long as the execution has changed nothing in them.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <string.h>
#include <unistd.h>

#include <iterator>

#include "runtime/environment/file_names.hpp"
#include "runtime/environment/files.hpp"
#include "runtime/environment/streams.hpp"
#include "runtime/memory/stack_objects.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/uncovered.hpp"
#include "runtime/upcalls/environment_ready.hpp"
#include "runtime/upcalls/real.hpp"
#include "runtime/upcalls/reports.hpp"

using namespace inspect::runtime;

namespace {

DIR* open_directory(const char* path, std::uint32_t site) {
  const int fd = open_path(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, site);
  if (fd < 0) return nullptr;
  DIR* const directory = real(&RealFunctions::fdopendir)(fd);
  if (!directory) close_descriptor(fd, site);
  return directory;
}

// Functions of the library that read directories by themselves see the real file system only.
void only_real(const char* call, std::uint32_t site) {
  if (environment_is_real()) return;
  FileStep step(INSPECT_OP_FileRead, INSPECT_FILE_NAMES_OBJECT, {}, site);
  if (file_names().changes) report_unsupported(format_message("%s after the program changed the file system", call), site);
  step.done();
}

void check_glob(int flags, std::uint32_t site) {
  if (flags & GLOB_ALTDIRFUNC) report_unsupported("glob with the program's own functions (GLOB_ALTDIRFUNC)", site);
  only_real("glob", site);
}

// What each directory that is being read gave last: the next call may write over it, as POSIX has it.
struct LastNames {
  struct {
    const DIR* directory;  // null: closed
    const void* entry;
    std::size_t size;
  } of[64];
  unsigned count;
};
LastNames& last_names() { return *reinterpret_cast<LastNames*>(kLastNames); }

// Of the directory; null: of none that is open.
unsigned place_of(const DIR* directory) {
  const LastNames& l = last_names();
  unsigned i = 0;
  while (i < l.count && l.of[i].directory != directory) ++i;
  return i;
}

void give_name(const DIR* directory, const dirent* entry, std::uint32_t site) {
  LastNames& l = last_names();
  unsigned i = place_of(directory);
  if (i < l.count) access_for_call(l.of[i].entry, l.of[i].size, true, site);
  if (entry) access_for_call(entry, entry->d_reclen, true, site);
  if (i == l.count) i = place_of(nullptr);
  if (i == std::size(l.of)) return note_uncovered("more than 64 directories read at once");
  if (i == l.count) ++l.count;
  l.of[i] = {directory, entry, entry ? entry->d_reclen : std::size_t{0}};
}

dirent* next_name(DIR* directory, std::uint32_t site) {
  directory_step(directory, site);
  dirent* const entry = real(&RealFunctions::readdir)(directory);
  if (active()) give_name(directory, entry, site);
  return entry;
}
int copy_name(DIR* directory, dirent* to, dirent** result, std::uint32_t site) {
  directory_step(directory, site);
  const int error = real(&RealFunctions::readdir_r)(directory, to, result);
  if (!error) access_for_call(result, sizeof *result, true, site);
  if (!error && *result) access_for_call(to, to->d_reclen, true, site);
  return error;
}

// Functions of the program's that the library calls, with memory of its own frames; nothing that it hands over leads to them.
struct Callbacks {
  __nftw_func_t visit;
  __ftw_func_t visit_plain;
  int (*order)(const dirent**, const dirent**);
  int (*on_error)(const char*, int);
};
Callbacks callbacks[INSPECT_MAX_THREADS];
Callbacks& own_callbacks() { return callbacks[state().booted && state().current ? current_thread() : 0]; }

template <class F>
class Calling {
 public:
  Calling(F& place, F function) : place_(place), before_(place) { place = function; }
  ~Calling() { place_ = before_; }
  Calling(const Calling&) = delete;
  Calling& operator=(const Calling&) = delete;

 private:
  F& place_;
  F before_;
};

int visit_lent(const char* path, const struct stat* about, int kind, FTW* depth) {
  const LentBytes status(about, sizeof *about), place(depth, sizeof *depth);
  return own_callbacks().visit(path, about, kind, depth);
}
int visit_plain_lent(const char* path, const struct stat* about, int kind) {
  const LentBytes status(about, sizeof *about);
  return own_callbacks().visit_plain(path, about, kind);
}
int order_lent(const dirent** a, const dirent** b) {
  const LentBytes first(a, sizeof *a), second(b, sizeof *b);
  return own_callbacks().order(a, b);
}
int on_error_lent(const char* path, int error) {
  const LentBytes name(path, strlen(path) + 1);
  return own_callbacks().on_error(path, error);
}

int find_paths(const char* pattern, int flags, int (*on_error)(const char*, int), void* result, std::uint32_t site) {
  check_glob(flags, site);
  const Calling calling(own_callbacks().on_error, on_error);
  return real(&RealFunctions::glob)(pattern, flags, on_error ? on_error_lent : nullptr, result);
}

}  // namespace

namespace inspect::runtime {
void reset_directories() { last_names().count = 0; }
}  // namespace inspect::runtime

#define SITE INSPECT_CALLER_SITE()
INSPECT_EXPORT DIR* opendir(const char* path) { return open_directory(path, SITE); }
INSPECT_EXPORT DIR* fdopendir(int fd) {
  if (environment_is_real()) return real(&RealFunctions::fdopendir)(fd);
  const FileUse file(fd, SITE);
  return file ? real(&RealFunctions::fdopendir)(fd) : nullptr;
}
INSPECT_EXPORT int closedir(DIR* directory) {
  if (active())
    if (const unsigned i = place_of(directory); i < last_names().count) last_names().of[i] = {};
  return close_directory(directory, SITE);
}
// What they return stands in the directory's own buffer.
INSPECT_EXPORT dirent* readdir(DIR* directory) { return next_name(directory, SITE); }
INSPECT_EXPORT dirent64* readdir64(DIR* directory) { return reinterpret_cast<dirent64*>(next_name(directory, SITE)); }
INSPECT_EXPORT int readdir_r(DIR* directory, dirent* to, dirent** result) { return copy_name(directory, to, result, SITE); }
INSPECT_EXPORT int readdir64_r(DIR* directory, dirent64* to, dirent64** result) {
  return copy_name(directory, reinterpret_cast<dirent*>(to), reinterpret_cast<dirent**>(result), SITE);
}
INSPECT_EXPORT int glob(const char* pattern, int flags, int (*on_error)(const char*, int), glob_t* result) noexcept {
  return find_paths(pattern, flags, on_error, result, SITE);
}
INSPECT_EXPORT int glob64(const char* pattern, int flags, int (*on_error)(const char*, int), glob64_t* result) noexcept {
  return find_paths(pattern, flags, on_error, result, SITE);
}
INSPECT_EXPORT int scandir(const char* path, dirent*** names, int (*select)(const dirent*),
                           int (*order)(const dirent**, const dirent**)) {
  only_real("scandir", SITE);
  const Calling calling(own_callbacks().order, order);
  return real(&RealFunctions::scandir)(path, names, select, order ? order_lent : nullptr);
}
INSPECT_EXPORT int nftw(const char* path, __nftw_func_t visit, int descriptors_used, int flags) {
  only_real("nftw", SITE);
  if (flags & FTW_CHDIR && !environment_is_real())
    report_unsupported("nftw with FTW_CHDIR: the working directory of its calls", SITE);
  const Calling calling(own_callbacks().visit, visit);
  return real(&RealFunctions::nftw)(path, visit_lent, descriptors_used, flags);
}
INSPECT_EXPORT int ftw(const char* path, __ftw_func_t visit, int descriptors_used) {
  only_real("ftw", SITE);
  const Calling calling(own_callbacks().visit_plain, visit);
  return real(&RealFunctions::ftw)(path, visit_plain_lent, descriptors_used);
}
