#include "runtime/states/sync_objects.hpp"

namespace inspect::runtime {

void note_sync_object(const Operation& o) {
  SyncObjects& all = sync_objects();
  const auto note = [&](std::uint64_t object, inspect_family family) {
    for (unsigned i = 0; i < all.count; ++i)
      if (all.objects[i].object == object) return;
    if (all.count == SyncObjects::kMost) {
      all.too_many = true;
      return;
    }
    all.objects[all.count].object = object;
    all.objects[all.count++].size = family;
  };
  switch (const inspect_family family = inspect_family_of(o.kind)) {
    case INSPECT_FAMILY_Mutex:
      note(o.object, family);
      if (o.object2) note(o.object2, INSPECT_FAMILY_Cond);
      return;
    case INSPECT_FAMILY_Cond:
      note(o.object, family);
      if (o.object2) note(o.object2, INSPECT_FAMILY_Mutex);
      return;
    case INSPECT_FAMILY_RwLock:
    case INSPECT_FAMILY_Barrier:
    case INSPECT_FAMILY_Once:
      return note(o.object, family);
    case INSPECT_FAMILY_Semaphore:  // it holds no numbers of threads
      if (state().request.message->flags & INSPECT_REQUEST_CANONICAL) note(o.object, family);
      return;
    default:
      return;
  }
}

bool is_sync_object(std::uint64_t object, unsigned family) {
  const SyncObjects& all = sync_objects();
  for (unsigned i = 0; i < all.count; ++i)
    if (all.objects[i].object == object) return all.objects[i].size == family;
  return false;
}

void forget_sync_objects() {
  sync_objects().count = 0;
  sync_objects().too_many = false;
}

}  // namespace inspect::runtime
