// The malloc family of the program under test, on the arena. Misuse is a memory error, found at the call.
#include <errno.h>
#include <link.h>
#include <string.h>

#include "runtime/environment/boot_allocations.hpp"
#include "runtime/environment/heap.hpp"
#include "runtime/memory/arena.hpp"
#include "runtime/memory/module.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/plural.hpp"
#include "runtime/platform/state.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/upcalls/changes.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/spin.hpp"
#include "runtime/upcalls/unsafe_calls.hpp"

#pragma clang section text = "inspect_models"  // runtime/schedule/owners.cpp

namespace inspect::runtime {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kLargest = (1ul << 47) - 1;  // the address space has no room for more: no machine can grant it

bool ready;  // set before the snapshot of the program's data, which therefore restores it as true

void prepare() {
  if (ready) [[likely]]
    return;
  map_state();
  map_memory_regions();
  ready = true;
}

void log_allocation(void* p, std::size_t size, std::uint32_t site) {
  if (append_record(INSPECT_RECORD_ALLOCATION, current_thread(), operation(INSPECT_OP_None, p, std::uint32_t(size), site)))
    record_memory_stack();
}

// Does the library allocate a stream's buffer, under the stream's lock?
bool is_for_stream(const void* caller) {
  return active() && state().current->stream_call == state().execution.opened + 1 && !is_program_code(caller);
}

// An allocation is a write of its block by its caller (SEMANTICS C.6).
void tell_of_allocation(void* p, std::size_t size, std::uint32_t site) {
  ObjectRecord* r = nullptr;
  if (arena_lookup(p, &r) == FreeFault::none) r->birth = race_allocation(current_thread());
  tell_access(std::uintptr_t(p), size, true, site);
}

void* allocate(std::size_t size, std::size_t alignment, std::uint32_t site, std::size_t reserve = 0, bool is_told = true) {
  if (size > kLargest) {
    errno = ENOMEM;
    return nullptr;
  }
  if (active()) enter_unsafe_call("malloc", site);
  void* const p = arena_allocate(size, alignment, site, reserve);
  if (!p) [[unlikely]]
    report_limit(INSPECT_LIMIT_MEMORY, "the heap of a thread is used up: freed memory is not reused", site);
  if (active()) {
    if (is_told) tell_of_allocation(p, size, site);
    note_allocation(*state().current, site);
    if (state().log_level == kLogAll) log_allocation(p, size, site);
  } else if (!state().booted) {
    note_boot_allocation(p);
  }
  return p;
}

const char* misuse_text(FreeFault fault, const void* p, const ObjectRecord* r, bool resizes) {
  const char* const what = resizes ? "realloc" : "free";
  switch (fault) {
    case FreeFault::double_free:
      return format_message("%s of a heap object of %u %s that is already freed", what, r->size, byte_word(r->size));
    case FreeFault::interior:
      return format_message("%s of a pointer %lu %s into a heap object of %u %s", what, std::uintptr_t(p) - r->begin,
                            byte_word(std::uintptr_t(p) - r->begin), r->size, byte_word(r->size));
    default:
      return format_message("%s of a pointer that no allocation returned", what);
  }
}

// The live object at p; null for a bad pointer that is to be passed over (outside executions: the loader's own allocator).
ObjectRecord* object_to_free(const void* p, bool resizes, std::uint32_t site) {
  ObjectRecord* r = nullptr;
  const FreeFault fault = arena_lookup(p, &r);
  if (fault == FreeFault::none) return r;
  if (!active()) return nullptr;
  if (inspect_channel* const channel = state().channel) {
    inspect_result& result = channel->results[state().request.slot];
    result.bug_address = std::uint64_t(p);
    if (fault == FreeFault::double_free) {
      result.other_site = r->free_site;
      result.other_thread = r->free_thread;
    }
  }
  report_bug(INSPECT_BUG_MEMORY_ERROR, misuse_text(fault, p, r, resizes), site);
}

constexpr const char* kAllocates[] = {"malloc", "new", "new[]", "new with an alignment", "new[] with an alignment"};
constexpr const char* kReleases[] = {"free", "delete", "delete[]", "delete with an alignment", "delete[] with an alignment"};

void require_family(const ObjectRecord& r, Family family, bool resizes, std::uint32_t site) {
  if (r.family == std::uint8_t(family) || !active() || operators_are_replaced()) return;
  if (inspect_channel* const channel = state().channel) channel->results[state().request.slot].bug_address = r.begin;
  report_bug(INSPECT_BUG_MEMORY_ERROR,
             format_message("%s of a heap object of %u %s that comes from %s",
                            resizes ? "realloc" : kReleases[unsigned(family)], r.size, byte_word(r.size), kAllocates[r.family]),
             site);
}

enum class Release { by_program, by_resize, by_library, by_resize_of_library };
Release release_by_resize(bool by_library) { return by_library ? Release::by_resize_of_library : Release::by_resize; }
Release release_from(const void* caller) { return is_program_code(caller) ? Release::by_program : Release::by_library; }

// Code that is not instrumented frees what it allocated itself, mostly, and its own locks order the two.
void free_object(void* p, Family family, Release how, std::uint32_t site) {
  const bool resizes = how == Release::by_resize || how == Release::by_resize_of_library;
  const bool by_library = how == Release::by_library || how == Release::by_resize_of_library;
  if (active() && p) enter_unsafe_call("free", site);
  ObjectRecord* r = object_to_free(p, resizes, site);
  if (!r) return;
  if (!by_library) require_family(*r, family, resizes, site);
  if (by_library) r->birth = 0;
  if (active()) {
    if (state().points == Points::shared) {
      visible(operation(INSPECT_OP_Free, p, r->size, site));
      r = object_to_free(p, resizes, site);  // another thread may have freed it meanwhile
      executed();
    }
    if (!race_free(current_thread(), r->begin, r->size, site)) report_race();
    tell_access(r->begin, r->size, true, site);
    record_end_of_object(r->begin, r->size, site);
    note_free(*state().current, r->begin);
  }
  arena_free(p, active() ? current_thread() : 0, site);
}

// Not in another thread's part of the heap: what stands there is that thread's to allocate.
bool may_resize_in_place(const ObjectRecord& r, std::size_t size) {
  return size <= r.capacity && (!active() || arena_owner(r.begin) == current_thread());
}

void* resize(void* p, std::size_t size, bool by_library, std::uint32_t site) {
  if (!p) return allocate(size, 16, site);
  if (!size) {
    free_object(p, Family::malloc, release_by_resize(by_library), site);
    return nullptr;
  }
  if (size > kLargest) {
    errno = ENOMEM;
    return nullptr;
  }
  if (active()) enter_unsafe_call("realloc", site);
  ObjectRecord* const r = object_to_free(p, true, site);
  if (!r) return allocate(size, 16, site);
  if (by_library)
    r->birth = 0;
  else
    require_family(*r, Family::malloc, true, site);
  if (may_resize_in_place(*r, size)) {  // the old block ends, a new one begins there
    if (active()) {
      if (!race_free(current_thread(), r->begin, r->size, site)) report_race();
      tell_access(r->begin, r->size, true, site);
      note_free(*state().current, r->begin);
      note_allocation(*state().current, site);
    }
    arena_resize(*r, size);
    if (active()) tell_of_allocation(p, size, site);
    return p;
  }
  // It moves, so that stale pointers are found; the reserve keeps a loop that grows a buffer linear in memory.
  const std::size_t old_size = r->size < size ? r->size : size;
  void* const moved = allocate(size, 16, site, size + size / 2);
  if (active()) point_of_access(std::uintptr_t(p), old_size, false, site);
  if (active() && !race_access(current_thread(), std::uintptr_t(p), old_size, false, site)) report_race();
  tell_access(std::uintptr_t(p), old_size, false, site);
  note_touched(std::uintptr_t(moved), old_size);
  memcpy(moved, p, old_size);
  free_object(p, Family::malloc, release_by_resize(by_library), site);
  return moved;
}

std::size_t power_of_two(std::size_t value) {
  std::size_t result = 16;
  while (result < value && result < (1ul << 62)) result <<= 1;
  return result;
}

bool multiply(std::size_t count, std::size_t size, std::size_t* product) {
  if (!__builtin_mul_overflow(count, size, product)) return true;
  errno = ENOMEM;
  return false;
}

// libstdc++ reserves 72 KB for exceptions thrown when memory is exhausted, which does not happen here; restoring them would
// cost more than all the rest of a reset. Refused, it goes without.
bool is_emergency_pool(std::size_t size, const void* caller) {
  if (size < 65536 || size > 81920 || active()) return false;
  struct Search {
    std::uintptr_t caller;
    bool found;
  } search{std::uintptr_t(caller), false};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto* const s = static_cast<Search*>(data);
        if (!info->dlpi_name || !strstr(info->dlpi_name, "libstdc++.so")) return 0;
        for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          if (header.p_type == PT_LOAD && s->caller - (info->dlpi_addr + header.p_vaddr) < header.p_memsz) s->found = true;
        }
        return 0;
      },
      &search);
  return search.found;
}

}  // namespace

void* heap_allocate(std::size_t size, std::size_t alignment, Family family, const void* caller) {
  prepare();
  void* const p = allocate(size, power_of_two(alignment), caller_site(caller));
  ObjectRecord* r = nullptr;
  if (p && arena_lookup(p, &r) == FreeFault::none) r->family = std::uint8_t(family);
  return p;
}

void heap_free(void* p, Family family, const void* caller) {
  prepare();
  free_object(p, family, release_from(caller), caller_site(caller));
}

// Ours, under names that the program's do not take. A test calls the family otherwise, by macros.
#define TEXT_OF(x) #x
#define NAME_OF(x) TEXT_OF(x)
extern "C" __attribute__((alias(NAME_OF(malloc)), used, visibility("hidden"))) void* inspect_own_malloc(std::size_t);
extern "C" __attribute__((alias(NAME_OF(free)), used, visibility("hidden"))) void inspect_own_free(void*);

INSPECT_EXPORT void* malloc(std::size_t size) {
  prepare();
  if (is_emergency_pool(size, __builtin_return_address(0))) [[unlikely]]
    return nullptr;
  return allocate(size, 16, INSPECT_CALLER_SITE(), 0, !is_for_stream(__builtin_return_address(0)));
}

INSPECT_EXPORT void free(void* p) {
  if (!p) return;
  prepare();
  free_object(p, Family::malloc, release_from(__builtin_return_address(0)), INSPECT_CALLER_SITE());
}

INSPECT_EXPORT void* calloc(std::size_t count, std::size_t size) {
  prepare();
  std::size_t bytes;
  if (!multiply(count, size, &bytes)) return nullptr;
  void* const p = allocate(bytes, 16, INSPECT_CALLER_SITE());
  if (p) note_touched(std::uintptr_t(p), bytes);  // its zeroes are wanted
  return p;
}

INSPECT_EXPORT void* realloc(void* p, std::size_t size) {
  prepare();
  return resize(p, size, !is_program_code(__builtin_return_address(0)), INSPECT_CALLER_SITE());
}

INSPECT_EXPORT void* reallocarray(void* p, std::size_t count, std::size_t size) {
  prepare();
  std::size_t bytes;
  if (!multiply(count, size, &bytes)) return nullptr;
  return resize(p, bytes, !is_program_code(__builtin_return_address(0)), INSPECT_CALLER_SITE());
}

INSPECT_EXPORT void* memalign(std::size_t alignment, std::size_t size) {
  prepare();
  return allocate(size, power_of_two(alignment), INSPECT_CALLER_SITE());
}

INSPECT_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) {
  prepare();
  if (!alignment || (alignment & (alignment - 1))) {
    errno = EINVAL;
    return nullptr;
  }
  return allocate(size, power_of_two(alignment), INSPECT_CALLER_SITE());
}

INSPECT_EXPORT int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  prepare();
  if (alignment % sizeof(void*) || !alignment || (alignment & (alignment - 1))) return EINVAL;
  if (size > kLargest) return ENOMEM;
  const std::uint32_t site = INSPECT_CALLER_SITE();
  void* const p = allocate(size, power_of_two(alignment), site);
  writes_argument(result, sizeof *result, site);
  *result = p;
  return 0;
}

INSPECT_EXPORT void* valloc(std::size_t size) {
  prepare();
  return allocate(size, kPage, INSPECT_CALLER_SITE());
}

INSPECT_EXPORT void* pvalloc(std::size_t size) {
  prepare();
  if (size > kLargest - kPage) size = kLargest;
  return allocate((size + kPage - 1) & ~(kPage - 1), kPage, INSPECT_CALLER_SITE());
}

INSPECT_EXPORT std::size_t malloc_usable_size(void* p) {
  if (!p) return 0;
  prepare();
  ObjectRecord* const r = object_to_free(p, true, INSPECT_CALLER_SITE());
  return r ? r->size : 0;
}

}  // namespace inspect::runtime
