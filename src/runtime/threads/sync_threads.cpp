#include "runtime/upcalls/sync_threads.hpp"

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
