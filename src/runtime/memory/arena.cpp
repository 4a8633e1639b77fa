#include "runtime/memory/arena.hpp"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/platform/state.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/upcalls/changes.hpp"

namespace inspect::runtime {
namespace {

constexpr std::size_t kDiscard = 16ul << 20;  // pages are given back from here on; below, zeroing is cheaper than new faults
constexpr std::size_t kDirect = 128ul << 10;  // below, a large object is zeroed whole, touched or not
constexpr std::size_t kDiscardOnFree = 1ul << 20;
constexpr std::size_t kNear = 1ul << 20;  // an address farther than this from an object has nothing to do with it
constexpr std::uint64_t kAllEight = 0x0808080808080808, kAllCounts = 0x0f0f0f0f0f0f0f0f;
static_assert((kArenaSlice - kSmallBytes) / kLargeChunk * sizeof(ObjectRecord) <= kArenaSlice - kLargeRecordsOffset);
static_assert(kSmallBytes / (2 * kRedZone) * sizeof(ObjectRecord) <= kLargeRecordsOffset);

constexpr std::uintptr_t round_up(std::uintptr_t value, std::size_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}
constexpr std::uintptr_t slice_of(unsigned thread) { return kArenaBase + thread * kArenaSlice; }
constexpr unsigned thread_of(std::uintptr_t address) { return unsigned((address - kArenaBase) / kArenaSlice); }

ObjectRecord* small_records(unsigned thread) { return reinterpret_cast<ObjectRecord*>(kObjectRecords + thread * kArenaSlice); }
// Number of the small object that begins at the address; only meaningful if that object's record agrees.
std::uint32_t& index_of(std::uintptr_t begin) {
  return reinterpret_cast<std::uint32_t*>(kObjectIndex)[(begin - kArenaBase) >> 4];
}

void set_alive(std::uintptr_t begin, std::size_t size) {
  std::int8_t* alive = liveness_of(begin);
  const std::size_t whole = size >> 3, rest = size & 7;
  const std::uint8_t untouched = state().running ? kUntouched : 0;
  if (whole < 8) {  // objects are 16 bytes apart at least, and what lies beyond this one is not in use yet
    const std::uint64_t counts = (kAllEight & ((1ull << (8 * whole)) - 1)) | std::uint64_t(rest) << (8 * whole);
    const std::size_t used = whole + (rest != 0);
    const std::uint64_t in_use = used == 8 ? ~0ull : (1ull << (8 * used)) - 1;
    const std::uint64_t bytes = counts | (kAllEight / 8 * untouched & in_use);
    memcpy(alive, &bytes, sizeof bytes);
    return;
  }
  memset(alive, 8 | untouched, whole);
  if (rest) alive[whole] = std::int8_t(rest | untouched);
}
void set_dead(std::uintptr_t begin, std::size_t size) { memset(liveness_of(begin), 0, (size + 7) >> 3); }

unsigned allocating_thread() { return state().running ? current_thread() : 0; }
void mark_used(ArenaState& s, unsigned thread) { s.used[thread >> 6] |= 1ull << (thread & 63); }

void fill(ObjectRecord& r, std::uintptr_t begin, std::size_t size, std::size_t capacity, std::uint32_t site) {
  r.begin = begin;
  r.size = std::uint32_t(size);
  r.capacity = std::uint32_t(capacity);
  r.allocation_site = site;
  r.birth = 0;
  r.family = 0;
  r.freed = false;
  r.free_thread = 0;
}

void* allocate_small(ThreadArena& a, unsigned thread, std::size_t size, std::size_t alignment, std::size_t reserve,
                     std::uint32_t site) {
  const std::uintptr_t begin = round_up(a.small_break + kRedZone, alignment < 16 ? 16 : alignment);
  const std::uintptr_t end = round_up(begin + (reserve ? reserve : 1), 16);
  if (end + kRedZone > slice_of(thread) + kSmallBytes) return nullptr;
  a.small_break = end;
  index_of(begin) = a.small_count;
  fill(small_records(thread)[a.small_count++], begin, size, reserve, site);
  set_alive(begin, size);
  count_object(small_records(thread)[a.small_count - 1], true);
  note_change(begin, size);  // a library may fill it
  return reinterpret_cast<void*>(begin);
}

void* allocate_large(ThreadArena& a, unsigned thread, std::size_t size, std::size_t alignment, std::size_t reserve,
                     std::uint32_t site) {
  constexpr std::size_t kMost = kArenaSlice - kSmallBytes - kLargeChunk;
  if (reserve > kMost || alignment > kMost) return nullptr;
  const std::uintptr_t begin = round_up(a.large_break, alignment < kLargeChunk ? kLargeChunk : alignment);
  const std::uintptr_t end = round_up(begin + reserve + kRedZone, kLargeChunk);
  if (end > slice_of(thread) + kArenaSlice) return nullptr;
  a.large_break = end;
  for (std::uintptr_t chunk = begin; chunk < end; chunk += kLargeChunk) large_index_of(chunk) = a.large_count;
  ObjectRecord& r = large_records(thread)[a.large_count++];
  fill(r, begin, size, reserve, site);
  r.alive = std::uint32_t(size);
  count_object(r, true);
  note_change(begin, size);
  return reinterpret_cast<void*>(begin);
}

// The large object whose chunks contain the address; null if there is none.
ObjectRecord* large_object(std::uintptr_t address) {
  const unsigned thread = thread_of(address);
  const std::uint32_t i = large_index_of(address);
  if (i >= arena_state().threads[thread].large_count) return nullptr;
  ObjectRecord& r = large_records(thread)[i];
  return address >= r.begin && address - r.begin < round_up(r.capacity + kRedZone, kLargeChunk) ? &r : nullptr;
}

// The last small object that begins at or below the address; null if there is none.
ObjectRecord* small_object_below(std::uintptr_t address) {
  const unsigned thread = thread_of(address);
  ObjectRecord* const records = small_records(thread);
  std::uint32_t low = 0, high = arena_state().threads[thread].small_count;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (records[middle].begin <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? &records[low - 1] : nullptr;
}

MemoryFault fault_at(std::uintptr_t address) {
  const ObjectRecord* r = is_large_place(address) ? large_object(address) : small_object_below(address);
  if (r && address - r->begin < r->size) return r->freed ? MemoryFault::freed : MemoryFault::none;
  const ThreadArena& a = arena_state().threads[thread_of(address)];
  const std::uintptr_t used = is_large_place(address) ? a.large_break : a.small_break + kRedZone;
  return address < used ? MemoryFault::overflow : MemoryFault::wild;
}

void map_region(std::uintptr_t base, std::size_t size) {
  const long want = long(base);
  const long got = system_call(SYS_mmap, want, long(size), PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != want) {
    const char text[] = "inspect: the address space for the memory checker is not available (limit on virtual memory?)\n";
    system_call(SYS_write, 2, long(text), sizeof text - 1);
    system_call(SYS_exit_group, 98);
  }
  // Sparse use: huge pages would make each first touch zero 2 MB.
  system_call(SYS_madvise, want, long(size), MADV_NOHUGEPAGE);
  system_call(SYS_madvise, want, long(size), MADV_DONTDUMP);
}

bool regions_mapped;  // set once, before the snapshot of the program's data, which therefore restores it as true

template <class F>
void for_each_thread(const std::uint64_t (&set)[2], F&& f) {
  for (unsigned w = 0; w < 2; ++w)
    for (std::uint64_t m = set[w]; m; m &= m - 1) f(64 * w + unsigned(__builtin_ctzll(m)));
}

void discard(std::uintptr_t begin, std::uintptr_t end) {
  if (begin < end) system_call(SYS_madvise, long(begin), long(end - begin), MADV_DONTNEED);
}

// An execution touches the same pages as the one before, and a page kept costs less than a fault: what is in memory is zeroed,
// the rest discarded, for it may be swapped out.
void zero_resident(std::uintptr_t begin, std::size_t size) {
  constexpr std::size_t kPages = 1024;
  unsigned char resident[kPages];
  const std::uintptr_t end = round_up(begin + size, 4096);  // large objects have their pages for themselves
  for (std::uintptr_t part = begin; part < end; part += kPages * 4096) {
    const std::size_t pages = end - part < kPages * 4096 ? (end - part) / 4096 : kPages;
    if (system_call(SYS_mincore, long(part), long(pages * 4096), long(resident)) != 0) return discard(part, end);
    std::uintptr_t absent = part;
    for (std::uintptr_t page = part; page < part + pages * 4096; page += 4096) {
      if (!(resident[(page - part) / 4096] & 1)) continue;
      discard(absent, page);
      absent = page + 4096;
      memset(reinterpret_cast<void*>(page), 0, 4096);
    }
    discard(absent, part + pages * 4096);
  }
}

void zero(std::uintptr_t begin, std::size_t size, std::size_t limit) {
  if (size < limit) {
    memset(reinterpret_cast<void*>(begin), 0, size);
    return;
  }
  const std::uintptr_t first = round_up(begin, 4096), last = (begin + size) & ~4095ul;
  memset(reinterpret_cast<void*>(begin), 0, first - begin);
  discard(first, last);
  memset(reinterpret_cast<void*>(last), 0, begin + size - last);
}

void reset_thread(const ArenaState& s, ThreadArena& now, unsigned thread) {
  const ThreadArena& old = s.snapshot[thread];
  const std::size_t grown = now.small_break - old.small_break;
  if (grown) {
    zero(old.small_break, grown, kDiscard);
    zero(std::uintptr_t(liveness_of(old.small_break)), (grown >> 3) + 1, kDiscard);
  }
  for (std::uint32_t i = old.large_count; i < now.large_count; ++i) {
    ObjectRecord& r = large_records(thread)[i];
    r.alive = 0;  // the index may still lead to it
    if (r.capacity >= kDirect && r.capacity < kDiscard)
      zero_resident(r.begin, r.capacity);
    else
      zero(r.begin, r.capacity, kDiscard);
  }
  now = old;
}

// The pieces of a thread's snapshot: f(address, bytes) for each, always in the same order.
template <class F>
void for_each_piece(const ThreadArena& a, unsigned thread, F&& f) {
  const std::size_t small = a.small_break - slice_of(thread);
  f(slice_of(thread), small);
  f(std::uintptr_t(liveness_of(slice_of(thread))), (small >> 3) + 1);
  f(std::uintptr_t(small_records(thread)), a.small_count * sizeof(ObjectRecord));
  f(std::uintptr_t(large_records(thread)), a.large_count * sizeof(ObjectRecord));
  // From the records, which stand restored by now.
  for (std::uint32_t i = 0; i < a.large_count; ++i) f(large_records(thread)[i].begin, large_records(thread)[i].capacity);
}

}  // namespace

void map_memory_regions() {
  if (regions_mapped) return;
  regions_mapped = true;
  map_region(kArenaState, 16ul << 20);
  map_region(kRaceState, 16ul << 20);
  map_region(kMemoryHash, kMemoryHashBytes);
  map_region(kSyncObjects, kSyncObjectsBytes);
  map_region(kHistories, kHistoriesBytes);
  map_region(kSnapshot, kSnapshotBytes);
  map_region(kExtents, kExtentsBytes);
  map_region(kLocationAccesses, kLocationAccessesBytes);
  map_region(kObjectRecords, kObjectRecordsBytes);
  map_region(kLiveness, kLivenessBytes + kObjectIndexBytes + kLargeIndexBytes);
  map_region(kEndedBytes, kEndedBytesBytes);
  map_region(kRaceCells, kRaceCellsBytes);
  map_region(kArenaBase, kArenaBytes);
  ArenaState& s = arena_state();
  for (unsigned i = 0; i < INSPECT_MAX_THREADS; ++i) {
    s.threads[i] = {slice_of(i) + kRedZone, slice_of(i) + kSmallBytes + kLargeChunk, 0, 0};
    s.snapshot[i] = s.threads[i];
  }
}

void* arena_allocate(std::size_t size, std::size_t alignment, std::uint32_t site, std::size_t reserve) {
  ArenaState& s = arena_state();
  const unsigned thread = allocating_thread();
  ThreadArena& a = s.threads[thread];
  mark_used(s, thread);
  if (reserve < size) reserve = size;
  if (reserve >= kLargeObject || alignment > 4096) return allocate_large(a, thread, size, alignment, reserve, site);
  return allocate_small(a, thread, size, alignment, reserve, site);
}

FreeFault arena_lookup(const void* p, ObjectRecord** object) {
  const auto address = std::uintptr_t(p);
  if (address - kArenaBase >= kArenaBytes) return FreeFault::not_heap;
  ObjectRecord* r;
  if (is_large_place(address)) {
    r = large_object(address);
  } else {
    const unsigned thread = thread_of(address);
    const std::uint32_t i = index_of(address);
    r = &small_records(thread)[i];
    if ((address & 15) || i >= arena_state().threads[thread].small_count || r->begin != address)
      r = small_object_below(address);
  }
  if (!r) return FreeFault::not_heap;
  *object = r;
  if (r->begin != address) return address - r->begin < r->size ? FreeFault::interior : FreeFault::not_heap;
  return r->freed ? FreeFault::double_free : FreeFault::none;
}

bool arena_free(void* p, std::uint8_t thread, std::uint32_t site, FreeFault* fault) {
  ObjectRecord* r = nullptr;
  const FreeFault found = arena_lookup(p, &r);
  if (fault) *fault = found;
  if (found != FreeFault::none) return false;
  mark_used(arena_state(), thread_of(r->begin));
  count_object(*r, false);
  note_change(r->begin, r->size);
  r->freed = true;
  count_object(*r, true);
  r->free_site = site;
  r->free_thread = thread;
  r->alive = 0;
  if (!is_large_place(r->begin))
    set_dead(r->begin, r->size);
  else if (r->capacity >= kDiscardOnFree)
    zero(r->begin, r->capacity, kDiscardOnFree);
  return true;
}

bool arena_resize(ObjectRecord& object, std::size_t size) {
  if (size > object.capacity) return false;
  mark_used(arena_state(), thread_of(object.begin));
  count_object(object, false);
  note_change(object.begin, size > object.size ? size : object.size);
  if (!is_large_place(object.begin)) {
    set_dead(object.begin, object.size);
    std::int8_t* const alive = liveness_of(object.begin);
    memset(alive, 8, size >> 3);
    if (size & 7) alive[size >> 3] = std::int8_t(size & 7);
  }
  object.size = object.alive = std::uint32_t(size);
  count_object(object, true);
  return true;
}

void arena_snapshot() {
  ArenaState& s = arena_state();
  std::uintptr_t cursor = kSnapshot;
  s.snapshot_threads[0] = s.snapshot_threads[1] = 0;
  for (unsigned t = 0; t < INSPECT_MAX_THREADS; ++t) {
    s.snapshot[t] = s.threads[t];
    if (!(s.threads[t].small_count | s.threads[t].large_count)) continue;
    s.snapshot_threads[t >> 6] |= 1ull << (t & 63);
    for_each_piece(s.threads[t], t, [&](std::uintptr_t from, std::size_t size) {
      memcpy(reinterpret_cast<void*>(cursor), reinterpret_cast<const void*>(from), size);
      cursor += size;
    });
  }
  s.used[0] = s.used[1] = 0;
}

void arena_reset() {
  ArenaState& s = arena_state();
  for_each_thread(s.used, [&](unsigned t) { reset_thread(s, s.threads[t], t); });
  s.used[0] = s.used[1] = 0;
  std::uintptr_t cursor = kSnapshot;
  for_each_thread(s.snapshot_threads, [&](unsigned t) {
    for_each_piece(s.snapshot[t], t, [&](std::uintptr_t to, std::size_t size) {
      memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(cursor), size);
      cursor += size;
    });
  });
}

const char* arena_at_snapshot(std::uintptr_t address, std::size_t* left) {
  std::uintptr_t cursor = kSnapshot;
  const char* found = nullptr;
  for_each_thread(arena_state().snapshot_threads, [&](unsigned t) {
    for_each_piece(arena_state().snapshot[t], t, [&](std::uintptr_t from, std::size_t size) {
      if (address >= from && address - from < size) {
        found = reinterpret_cast<const char*>(cursor + (address - from));
        *left = size - (address - from);
      }
      cursor += size;
    });
  });
  return found;
}

std::size_t alive_of_large(std::uintptr_t address) {
  const ObjectRecord* r = large_object(address);
  return r && !r->freed && address - r->begin < r->size ? r->size - (address - r->begin) : 0;
}

bool find_heap_object(std::uintptr_t address, HeapObject* object) {
  if (address - kArenaBase >= kArenaBytes) return false;
  const unsigned thread = thread_of(address);
  const ThreadArena& a = arena_state().threads[thread];
  ObjectRecord* r;
  if (is_large_place(address)) {
    r = large_object(address);
    if (!r) return false;
  } else {
    ObjectRecord* const records = small_records(thread);
    r = small_object_below(address);
    if (!a.small_count || (r && address > r->begin + r->size + kNear)) return false;
    ObjectRecord* const next = r ? r + 1 : records;
    const bool has_next = next < records + a.small_count;
    if (!r || (has_next && address >= r->begin + r->size && next->begin - address < address - (r->begin + r->size))) r = next;
  }
  *object = {r->begin, r->size, r->allocation_site, std::uint8_t(thread), bool(r->freed), r->free_site, r->free_thread};
  return true;
}

ObjectRecord* arena_object(std::uintptr_t address) {
  ObjectRecord* const r = is_large_place(address) ? large_object(address) : small_object_below(address);
  return r && address - r->begin < r->size && !r->freed ? r : nullptr;
}

bool is_untouched(std::uintptr_t address, std::size_t size) {
  if (is_large_place(address)) return false;
  const std::int8_t *at = liveness_of(address), *const end = liveness_of(address + size - 1) + 1;
  while (at < end && *at < 0) ++at;
  return at == end;
}

void forget_untouched(std::uintptr_t address, std::size_t size) {
  std::int8_t *at = liveness_of(address), *const end = liveness_of(address + (size ? size - 1 : 0)) + 1;
  for (; at < end; ++at) *at &= kAliveBytes;
}

MemoryFault check_arena_access(std::uintptr_t address, std::size_t size) {
  if (!size) return MemoryFault::none;
  if (is_large_place(address)) {
    const ObjectRecord* r = large_object(address);
    if (!r) return fault_at(address);
    const std::size_t offset = address - r->begin;
    if (offset < r->size && r->freed) return MemoryFault::freed;
    return offset < r->size && size <= r->size - offset ? MemoryFault::none : MemoryFault::overflow;
  }
  const std::uintptr_t end = address + size;
  for (std::uintptr_t a = address; a < end;) {
    const std::int8_t* alive = liveness_of(a);
    std::uint64_t eight;
    memcpy(&eight, alive, sizeof eight);
    if (!(a & 7) && end - a >= 64 && (eight & kAllCounts) == kAllEight) {
      a += 64;
      continue;
    }
    const std::size_t here = 8 - (a & 7), part = end - a < here ? end - a : here;
    const std::size_t count = std::size_t(*alive & kAliveBytes);
    if ((a & 7) + part > count) return fault_at((a & 7) < count ? (a & ~7ul) + count : a);
    a += part;
  }
  return MemoryFault::none;
}

}  // namespace inspect::runtime
