#include "runtime/upcalls/sync_threads.hpp"

namespace inspect::runtime {

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
