// Files that the program's constructors opened: every execution finds them as main does, and writes to a private copy.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/environment/file_names.hpp"
#include "runtime/environment/files.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

// The name below which the kernel shows a descriptor of the runtime.
struct DescriptorName {
  explicit DescriptorName(int fd) { snprintf(text, sizeof text, "/proc/self/fd/%d", fd); }
  char text[32];
};

// The content behind the name that the file was opened by, if that still is its name; else a content of its own.
std::int32_t content_before_main(const AdoptedFile& adopted) {
  const DescriptorName link(adopted.saved);
  Found& found = adopted_found();
  char path[kPathBytes];
  struct stat status{};
  system_call(SYS_fstat, adopted.saved, reinterpret_cast<long>(&status));
  const long length =
      system_call(SYS_readlink, reinterpret_cast<long>(link.text), reinterpret_cast<long>(path), sizeof path - 1);
  if (length > 0) {
    path[length] = 0;
    if (path[0] == '/' && !find_name(AT_FDCWD, path, false, found) && found.kind == NameKind::file) {
      struct stat named{};
      const bool is_real =
          !system_call(SYS_newfstatat, AT_FDCWD, reinterpret_cast<long>(path), reinterpret_cast<long>(&named), 0);
      if (is_real && named.st_ino == status.st_ino && named.st_dev == status.st_dev) return content_of(found);
    }
  }
  return new_content(link.text, status.st_mode);
}

}  // namespace

void adopt_file(OpenFile& file, const AdoptedFile& adopted) {
  file.content = content_before_main(adopted);
  const bool writes = (adopted.flags & O_ACCMODE) != O_RDONLY;
  if (writes && make_private(file.content))
    report_limit(INSPECT_LIMIT_MEMORY, "the private copy of a file opened before main cannot be made", 0);
  if (content_at(file.content).copy >= 0) redirect_readers(file.content);
}

}  // namespace inspect::runtime
