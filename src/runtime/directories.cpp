// Reading directories: the real ones, as long as the execution has changed nothing in them.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <unistd.h>

#include "runtime/export.hpp"
#include "runtime/file_names.hpp"
#include "runtime/files.hpp"
#include "runtime/real.hpp"
#include "runtime/system_call.hpp"

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
  if (world_is_real()) return;
  FileStep step(INSPECT_OP_FileRead, INSPECT_FILE_NAMES_OBJECT, 0, site);
  if (file_names().changes) report_unsupported(format_message("%s after the program changed the file system", call), site);
  step.done();
}

}  // namespace

#define SITE INSPECT_CALLER_SITE()
INSPECT_EXPORT DIR* opendir(const char* path) { return open_directory(path, SITE); }
INSPECT_EXPORT DIR* fdopendir(int fd) { return real(&RealFunctions::fdopendir)(fd); }
INSPECT_EXPORT int closedir(DIR* directory) {
  if (world_is_real()) return real(&RealFunctions::closedir)(directory);
  const int fd = dirfd(directory);
  const int result = real(&RealFunctions::closedir)(directory);
  drop_descriptor(fd, false);
  return result;
}
INSPECT_EXPORT int glob(const char* pattern, int flags, int (*on_error)(const char*, int), glob_t* result) noexcept {
  only_real("glob", SITE);
  return real(&RealFunctions::glob)(pattern, flags, on_error, result);
}
INSPECT_EXPORT int glob64(const char* pattern, int flags, int (*on_error)(const char*, int), glob64_t* result) noexcept {
  only_real("glob", SITE);
  return real(&RealFunctions::glob)(pattern, flags, on_error, result);
}
INSPECT_EXPORT int scandir(const char* path, dirent*** names, int (*select)(const dirent*),
                           int (*order)(const dirent**, const dirent**)) {
  only_real("scandir", SITE);
  return real(&RealFunctions::scandir)(path, names, select, order);
}
INSPECT_EXPORT int nftw(const char* path, __nftw_func_t visit, int descriptors_used, int flags) {
  only_real("nftw", SITE);
  return real(&RealFunctions::nftw)(path, visit, descriptors_used, flags);
}
INSPECT_EXPORT int ftw(const char* path, __ftw_func_t visit, int descriptors_used) {
  only_real("ftw", SITE);
  return real(&RealFunctions::ftw)(path, visit, descriptors_used);
}
