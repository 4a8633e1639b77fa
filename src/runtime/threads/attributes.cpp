// Attribute objects of POSIX: have they been initialised, and not destroyed since? What they say is glibc's to keep.
//
// A destroyed one holds kDestroyed; a local one that nobody initialised holds the pass's pattern. One in static memory is
// zero either way: those that were initialised are remembered.
#include <pthread.h>
#include <string.h>

#include "runtime/memory/arena.hpp"
#include "runtime/memory/module.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/threads/initialised.hpp"
#include "runtime/threads/sync.hpp"
#include "runtime/upcalls/real.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

constexpr std::uint32_t kNeverInitialised = 0xa5a5a5a5;
constexpr unsigned kMost = 256;

// In memory that every execution finds as it was at its begin.
const void* initialised[kMost];
unsigned count;
bool too_many;

bool in_static_memory(const void* object) {
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  for (unsigned k = 0; k < modules().count; ++k)
    if (address >= modules().list[k].begin && address < modules().list[k].end) return true;
  return false;
}

bool is_remembered(const void* object) {
  for (unsigned i = 0; i < count; ++i)
    if (initialised[i] == object) return true;
  return too_many;
}

void remember(const void* object) {
  if (is_remembered(object)) return;
  if (count < kMost)
    initialised[count++] = object;
  else
    too_many = true;
}

template <class T>
int made(T* attributes, int error) {
  if (!error) remember(attributes);
  return error;
}

template <class T>
int ended(T* attributes, int error) {
  if (error) return error;
  for (unsigned i = 0; i < count; ++i)
    if (initialised[i] == attributes) initialised[i--] = initialised[--count];
  memcpy(attributes, &kDestroyed, sizeof kDestroyed);
  return 0;
}

bool is_all_zero(const void* object, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    if (static_cast<const char*>(object)[i]) return false;
  return true;
}

}  // namespace

void require_attributes(const void* attributes, std::size_t size, const char* call, std::uint32_t site) {
  if (!attributes) return;
  std::uint32_t word;
  memcpy(&word, attributes, sizeof word);
  if (word == kDestroyed) misuse(format_message("%s with attributes that were destroyed", call), site);
  const auto address = reinterpret_cast<std::uintptr_t>(attributes);
  const bool in_arena = address - kArenaBase < kArenaBytes;
  const bool fresh = in_arena ? is_untouched(address, size)
                              : in_static_memory(attributes) && is_all_zero(attributes, size) && !is_remembered(attributes);
  if (word == kNeverInitialised || (fresh && called_by_program()))
    misuse(format_message("%s with attributes that were never initialised", call), site);
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

#define ATTRIBUTES(kind)                                                        \
  INSPECT_EXPORT int pthread_##kind##_init(pthread_##kind##_t* a) noexcept {    \
    return made(a, real(&RealFunctions::pthread_##kind##_init)(a));             \
  }                                                                             \
  INSPECT_EXPORT int pthread_##kind##_destroy(pthread_##kind##_t* a) noexcept { \
    return ended(a, real(&RealFunctions::pthread_##kind##_destroy)(a));         \
  }
ATTRIBUTES(attr)
ATTRIBUTES(mutexattr)
ATTRIBUTES(condattr)
ATTRIBUTES(rwlockattr)
ATTRIBUTES(barrierattr)
