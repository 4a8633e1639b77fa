// Blocks that are never given back, so that the library's own bookkeeping of memory does not change with a call.
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace {
alignas(64) char blocks[256 << 20];
std::size_t used;

void* take(std::size_t alignment, std::size_t size) {
  if (alignment < 16) alignment = 16;
  const std::size_t begin = (used + alignment - 1 + sizeof(std::size_t)) / alignment * alignment + alignment;
  if (begin + size > sizeof blocks) return nullptr;
  std::memcpy(blocks + begin - sizeof size, &size, sizeof size);
  used = begin + size;
  return blocks + begin;
}
}  // namespace

extern "C" {
void* malloc(std::size_t size) { return take(16, size); }
void free(void*) {}
void* calloc(std::size_t count, std::size_t size) {  // fresh memory is zero
  return take(16, count * size);
}
void* realloc(void* old, std::size_t size) {
  void* const block = take(16, size);
  if (!old || !block) return block;
  std::size_t before = 0;
  std::memcpy(&before, static_cast<char*>(old) - sizeof before, sizeof before);
  return std::memcpy(block, old, before < size ? before : size);
}
void* memalign(std::size_t alignment, std::size_t size) { return take(alignment, size); }
void* aligned_alloc(std::size_t alignment, std::size_t size) { return take(alignment, size); }
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = take(alignment, size);
  return *block ? 0 : ENOMEM;
}
}
