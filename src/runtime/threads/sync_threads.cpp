#include "runtime/upcalls/sync_threads.hpp"

#include <pthread.h>
#include <string.h>

#include "runtime/platform/mutation.hpp"
#include "runtime/threads/initialised.hpp"

namespace inspect::runtime {
namespace {

struct MarkPlace {
  inspect_family family;
  unsigned word;  // of the object, in bytes
  bool high;      // half of it
};
constexpr MarkPlace kMarkPlaces[] = {{INSPECT_FAMILY_Mutex, kMutexMark & ~7u, (kMutexMark & 4) != 0},
                                     {INSPECT_FAMILY_Cond, kConditionMark & ~7u, (kConditionMark & 4) != 0},
                                     {INSPECT_FAMILY_RwLock, kRwLockMark & ~7u, (kRwLockMark & 4) != 0},
                                     {INSPECT_FAMILY_Semaphore, kSemaphoreMark & ~7u, (kSemaphoreMark & 4) != 0},
                                     {INSPECT_FAMILY_Barrier, kBarrierMark & ~7u, (kBarrierMark & 4) != 0}};

}  // namespace

std::uint64_t without_mark(std::uint64_t at, std::uint64_t word, bool (*is_known)(std::uint64_t object, unsigned family)) {
  constexpr std::uint64_t kRight = 0xfffffffe;  // no mark
  for (const MarkPlace& place : kMarkPlaces) {
    const std::uint64_t object = at - place.word;
    const unsigned shift = place.high ? 32 : 0;
    if (std::uint32_t(word >> shift) != mark_of(reinterpret_cast<const void*>(object))) continue;
    if (is_known(object, place.family)) return (word & ~(0xffffffffull << shift)) | kRight << shift;
  }
  return word;
}

std::uint64_t with_names(const Operation& o, std::uint64_t at, std::uint64_t word, const ThreadNames& names) {
  const MarkPlace* place = nullptr;
  for (const MarkPlace& p : kMarkPlaces)
    if (unsigned(p.family) == o.size) place = &p;
  if (!place || (o.object & 7)) return word;
  std::uint64_t mark;
  memcpy(&mark, reinterpret_cast<const void*>(o.object + place->word), sizeof mark);
  if (std::uint32_t(mark >> (place->high ? 32 : 0)) != mark_of(reinterpret_cast<const void*>(o.object))) return word;
  const std::uint64_t offset = at - o.object;
  const auto owner = [&]() -> std::uint64_t {
    const auto number = std::uint32_t(word);
    if (!number || number > INSPECT_MAX_THREADS) return word;
    const unsigned name = mutated(Mutation::owners_do_not_matter) ? 0 : names.of[number - 1];
    return (word & ~0xffffffffull) | (name + 1u);
  };
  // The half of a set of threads that begins at `first`.
  const auto set = [&](std::uint64_t first) {
    Mask threads;
    memcpy(&threads, reinterpret_cast<const void*>(o.object + first), sizeof threads);
    return names.renamed(threads).words[(offset - first) / 8];
  };
  switch (o.size) {
    case INSPECT_FAMILY_Mutex:
      return offset == offsetof(pthread_mutex_t, __data.__owner) ? owner() : word;
    case INSPECT_FAMILY_Cond:
      return offset < 32 ? set(offset & ~15u) : word;
    case INSPECT_FAMILY_RwLock:
      return offset < 32 ? set(offset & ~15u) : offset == 32 ? owner() : word;
    case INSPECT_FAMILY_Barrier:
      return offset >= 8 && offset < 24 ? set(8) : word;
    default:
      return word;
  }
}

bool tells_apart(const Operation& o, unsigned a, unsigned b) {
  switch (o.size) {
    case INSPECT_FAMILY_Mutex:
      return mutex_tells_apart(o.object, a, b);
    case INSPECT_FAMILY_Cond:
      return condition_tells_apart(o.object, a, b);
    case INSPECT_FAMILY_RwLock:
      return rwlock_tells_apart(o.object, a, b);
    case INSPECT_FAMILY_Barrier:
      return barrier_tells_apart(o.object, a, b);
    default:
      return once_tells_apart(o.object, a, b);
  }
}

}  // namespace inspect::runtime
