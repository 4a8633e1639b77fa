#include "runtime/upcalls/sync_threads.hpp"

#include <string.h>

#include "runtime/platform/mutation.hpp"
#include "runtime/threads/mark.hpp"

namespace inspect::runtime {
namespace {

constexpr inspect_family kMarked[] = {INSPECT_FAMILY_Mutex, INSPECT_FAMILY_Cond, INSPECT_FAMILY_RwLock,
                                      INSPECT_FAMILY_Semaphore, INSPECT_FAMILY_Barrier};

// Marks are halves of words.
unsigned word_of_mark(const SyncObjectKind& kind) { return unsigned(kind.mark) & ~7u; }
unsigned shift_of_mark(const SyncObjectKind& kind) { return kind.mark & 4 ? 32 : 0; }

}  // namespace

const SyncObjectKind* sync_object_kind(unsigned family) {
  switch (inspect_family(family)) {
    case INSPECT_FAMILY_Mutex:
      return &kMutexes;
    case INSPECT_FAMILY_Cond:
      return &kConditions;
    case INSPECT_FAMILY_RwLock:
      return &kRwLocks;
    case INSPECT_FAMILY_Semaphore:
      return &kSemaphores;
    case INSPECT_FAMILY_Barrier:
      return &kBarriers;
    case INSPECT_FAMILY_Once:
      return &kOnces;
    case INSPECT_FAMILY_Memory:
    case INSPECT_FAMILY_Thread:
    case INSPECT_FAMILY_Process:
    case INSPECT_FAMILY_Local:
      return nullptr;
  }
  return nullptr;
}

std::uint64_t without_mark(std::uint64_t at, std::uint64_t word, bool (*is_known)(std::uint64_t object, unsigned family)) {
  constexpr std::uint64_t kRight = 0xfffffffe;  // no mark
  for (const inspect_family family : kMarked) {
    const SyncObjectKind& kind = *sync_object_kind(family);
    const std::uint64_t object = at - word_of_mark(kind);
    const unsigned shift = shift_of_mark(kind);
    if (std::uint32_t(word >> shift) != mark_of(reinterpret_cast<const void*>(object))) continue;
    if (is_known(object, family)) return (word & ~(0xffffffffull << shift)) | kRight << shift;
  }
  return word;
}

std::uint64_t with_names(const Operation& o, std::uint64_t at, std::uint64_t word, const ThreadNames& names) {
  const SyncObjectKind* const kind = sync_object_kind(o.size);
  if (!kind || kind->mark < 0 || (o.object & 7)) return word;
  std::uint64_t mark;
  memcpy(&mark, reinterpret_cast<const void*>(o.object + word_of_mark(*kind)), sizeof mark);
  if (std::uint32_t(mark >> shift_of_mark(*kind)) != mark_of(reinterpret_cast<const void*>(o.object))) return word;
  return kind->with_names(o.object, at - o.object, word, names);
}

std::uint64_t owner_with_name(std::uint64_t word, const ThreadNames& names) {
  const auto number = std::uint32_t(word);
  if (!number || number > INSPECT_MAX_THREADS) return word;
  const unsigned name = mutated(Mutation::owners_do_not_matter) ? 0 : names.of[number - 1];
  return (word & ~0xffffffffull) | (name + 1u);
}

std::uint64_t set_with_names(std::uint64_t object, std::uint64_t first, std::uint64_t offset, const ThreadNames& names) {
  Mask threads;
  memcpy(&threads, reinterpret_cast<const void*>(object + first), sizeof threads);
  return names.renamed(threads).words[(offset - first) / 8];
}

bool tells_apart(const Operation& o, unsigned a, unsigned b) {
  const SyncObjectKind* const kind = sync_object_kind(o.size);
  return !kind || kind->tells_apart(o.object, a, b);
}

}  // namespace inspect::runtime
