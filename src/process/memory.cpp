#include "process/memory.hpp"

#include <dirent.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace inspect::process {
namespace {

std::string folder_of(pid_t process) { return "/proc/" + std::to_string(process); }

// The sum of some lines of such a file.
std::uint64_t sum_of(const std::string& status, std::initializer_list<const char*> names) {
  std::uint64_t kilobytes = 0;
  FILE* const file = std::fopen(status.c_str(), "re");
  if (!file) return 0;
  char line[256];
  while (std::fgets(line, sizeof line, file))
    for (const char* const name : names)
      if (!std::strncmp(line, name, std::strlen(name))) kilobytes += std::strtoull(line + std::strlen(name), nullptr, 10);
  std::fclose(file);
  return kilobytes * 1024;
}

bool is_in_memory(const std::string& path) {
  struct statfs system{};
  if (statfs(path.c_str(), &system)) return false;
  return system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC || system.f_type == HUGETLBFS_MAGIC;
}

std::uint64_t memory_files_of(pid_t process, int beside) {
  std::vector<std::pair<dev_t, ino_t>> seen;
  struct stat status{};
  if (!fstat(beside, &status)) seen.emplace_back(status.st_dev, status.st_ino);
  const std::string folder = folder_of(process) + "/fd/";
  DIR* const open = opendir(folder.c_str());
  if (!open) return 0;
  std::uint64_t bytes = 0;
  while (const dirent* const entry = readdir(open)) {
    const std::string path = folder + entry->d_name;
    if (stat(path.c_str(), &status) || !S_ISREG(status.st_mode) || !status.st_blocks || !is_in_memory(path)) continue;
    const std::pair file(status.st_dev, status.st_ino);
    if (std::ranges::find(seen, file) != seen.end()) continue;
    seen.push_back(file);
    bytes += static_cast<std::uint64_t>(status.st_blocks) * 512;
  }
  closedir(open);
  return bytes;
}

}  // namespace

std::uint64_t own_memory() { return sum_of("/proc/self/status", {"RssAnon:", "VmSwap:", "VmPTE:"}); }

std::uint64_t memory_of(pid_t process, int beside) {
  return sum_of(folder_of(process) + "/status", {"VmRSS:", "VmSwap:", "VmPTE:"}) + memory_files_of(process, beside);
}

pid_t child_of(pid_t process) {
  FILE* const file = std::fopen((folder_of(process) + "/task/" + std::to_string(process) + "/children").c_str(), "re");
  if (!file) return 0;
  pid_t child = 0;
  while (std::fscanf(file, "%d", &child) == 1) {
  }
  std::fclose(file);
  return child;
}

std::uint64_t peak_memory_of(pid_t process) { return sum_of(folder_of(process) + "/status", {"VmHWM:"}); }

}  // namespace inspect::process
