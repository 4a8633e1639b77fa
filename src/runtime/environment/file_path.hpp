// A std::filesystem::path as libstdc++ has it in memory.
#pragma once
#include <cstddef>
#include <cstdint>

namespace inspect::runtime {

struct FilePath {
  const char* text;
  std::size_t length, room[2];
  const char* parts;  // if there are several; else its lower bits tell what the path is
};

// Whatever may be looked at to read a path: itself, its text, and how many parts it has.
template <class Each>
void for_each_part(const FilePath* path, Each each) {
  constexpr std::uintptr_t kKind = 3;
  each(path, sizeof *path);
  each(path->text, path->length);
  const bool several = path->parts && !(reinterpret_cast<std::uintptr_t>(path->parts) & kKind);
  if (several) each(path->parts, 2 * sizeof(int));
}

}  // namespace inspect::runtime
