#include "runtime/states/sync_objects.hpp"

#include <string.h>

#include "runtime/upcalls/sync_threads.hpp"

namespace inspect::runtime {
namespace {

// f(a word of places, its bit) for each word of eight bytes.
template <class F>
void for_each_place(std::uintptr_t begin, std::size_t size, F&& f) {
  for (std::uintptr_t at = begin & ~std::uintptr_t{7}; at < begin + size; at += 8) {
    const std::uint64_t place = at >> 3 & 4095;
    f(sync_objects().places[place >> 6], 1ull << (place & 63));
  }
}

}  // namespace

void note_sync_object(std::uint64_t object, unsigned family) {
  const bool canonical = state().request.message && state().request.message->flags & INSPECT_REQUEST_CANONICAL;
  const SyncObjectKind* const kind = sync_object_kind(family);
  // Only a description of the heap needs to know of those that hold no numbers of threads.
  if (!kind || !(canonical || (state().request.symmetric_pairs && kind->holds_threads))) return;
  SyncObjects& all = sync_objects();
  for (unsigned i = 0; i < all.count; ++i)
    if (all.objects[i].object == object) {
      all.changed |= all.objects[i].size != family;
      return;
    }
  if (all.count == SyncObjects::kMost) {
    all.too_many = true;
    return;
  }
  all.objects[all.count].object = object;
  all.objects[all.count++].size = family;
  for_each_place(object, kind->bytes, [](std::uint64_t& word, std::uint64_t bit) { word |= bit; });
}

void note_sync_object(const Operation& o) {
  const inspect_family family = inspect_family_of(o.kind);
  if (family == INSPECT_FAMILY_Mutex && o.size && o.size < kMutexes.bytes) sync_objects().changed = true;
  note_sync_object(o.object, family);
  if (!o.object2) return;
  if (family == INSPECT_FAMILY_Mutex) note_sync_object(o.object2, INSPECT_FAMILY_Cond);
  if (family == INSPECT_FAMILY_Cond) note_sync_object(o.object2, INSPECT_FAMILY_Mutex);
}

bool is_sync_object(std::uint64_t object, unsigned family) {
  const SyncObjects& all = sync_objects();
  for (unsigned i = 0; i < all.count; ++i)
    if (all.objects[i].object == object) return all.objects[i].size == family;
  return false;
}

const Operation* sync_object_at(std::uint64_t address) {
  bool possible = false;
  for_each_place(address, 1, [&](std::uint64_t word, std::uint64_t bit) { possible |= (word & bit) != 0; });
  if (!possible) return nullptr;
  const SyncObjects& all = sync_objects();
  for (unsigned i = 0; i < all.count; ++i)
    if (address - all.objects[i].object < sync_object_kind(all.objects[i].size)->bytes) return &all.objects[i];
  return nullptr;
}

bool holds_sync_objects(std::uintptr_t begin, std::size_t size) {
  for (std::uintptr_t at = begin & ~std::uintptr_t{7}; at < begin + size; at += 8)
    if (sync_object_at(at)) return true;
  return false;
}

void forget_sync_objects() {
  memset(sync_objects().places, 0, sizeof sync_objects().places);
  sync_objects().changed = false;
  sync_objects().count = 0;
  sync_objects().too_many = false;
}

}  // namespace inspect::runtime
