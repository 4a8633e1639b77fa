#include "runtime/threads/once.hpp"

#include <pthread.h>

#include "runtime/platform/export.hpp"
#include "runtime/platform/once_call.h"
#include "runtime/schedule/uncovered.hpp"
#include "runtime/threads/sync.hpp"
#include "runtime/upcalls/sync_threads.hpp"

namespace inspect::runtime {
namespace {

// Values of a pthread_once_t. kDoneBeforeMain is glibc's own for "done". While a thread runs the routine: kRunning + its
// number.
constexpr int kNotDone = 0, kDoneBeforeMain = 2, kDone = 3, kRunning = 16;

// The guard of a function-local static. Compiled code tests the first byte itself, with an atomic load.
struct StaticGuard {
  std::uint8_t done;
  std::uint8_t unused[3];
  std::uint32_t owner;  // thread + 1 that initialises
};
static_assert(sizeof(StaticGuard) == 8);

int value_of(const Thread& t) { return *reinterpret_cast<const int*>(t.pending.object); }
Mask once_guard(const Thread& t) { return value_of(t) < kRunning ? Mask::one(0) : blocked(t); }

Mask static_guard(const Thread& t) {
  const auto& g = *reinterpret_cast<const StaticGuard*>(t.pending.object);
  return !g.owner || g.owner == t.id + 1u ? Mask::one(0) : blocked(t);
}

void end_once(int* control, int value) {
  announce(operation(INSPECT_OP_OnceDone, control, sizeof *control));
  *control = value;
  release_edge(control);
  finish();
}

void end_static(StaticGuard* g, bool done) {
  announce(operation(INSPECT_OP_OnceDone, g, sizeof *g));
  if (active()) race_atomic_store(current_thread(), reinterpret_cast<std::uint64_t>(g), 1, INSPECT_RELEASE, 0);
  g->done = done;
  g->owner = 0;
  finish();
}

}  // namespace

int run_once(int* control, void (*routine)(), std::uint32_t site) {
  if (*control == kDoneBeforeMain) return 0;
  announce(operation(INSPECT_OP_OnceEnter, control, sizeof *control, site), once_guard);
  acquire_edge(control);
  if (*control != kNotDone) {
    finish(INSPECT_FLAG_FAILED);
    return 0;
  }
  *control = kRunning + int(self());
  finish();
  about_to_call(routine, "pthread_once or call_once");
  inspect_call_guarded(routine, [](void* c) { end_once(static_cast<int*>(c), kNotDone); }, control);
  end_once(control, active() ? kDone : kDoneBeforeMain);
  return 0;
}

// They are within it, or may be.
const SyncObjectKind kOnces = {
    .bytes = sizeof(StaticGuard),
    .mark = -1,
    .holds_threads = true,
    .tells_apart =
        [](std::uint64_t object, unsigned a, unsigned b) {
          const int value = *reinterpret_cast<const int*>(object);
          if (value == kRunning + int(a) || value == kRunning + int(b)) return true;
          // It may be the guard of a static variable, which is larger.
          if (object & 7) return false;
          const std::uint32_t owner = reinterpret_cast<const StaticGuard*>(object)->owner;
          return owner == a + 1 || owner == b + 1;
        },
    .with_names = nullptr,  // whose state is described otherwise: once_is_running
};

bool once_is_running(std::uint64_t object) {
  for (unsigned t = 0; t < INSPECT_MAX_THREADS; ++t)
    if (kOnces.tells_apart(object, t, t)) return true;
  return false;
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT int pthread_once(pthread_once_t* control, void (*routine)(void)) {
  return run_once(control, routine, INSPECT_CALLER_SITE());
}

INSPECT_EXPORT int __cxa_guard_acquire(StaticGuard* g) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  announce(operation(INSPECT_OP_OnceEnter, g, sizeof *g, site), static_guard);
  if (active()) race_atomic_load(current_thread(), reinterpret_cast<std::uint64_t>(g), 1, INSPECT_ACQUIRE, site);
  if (g->done) {
    finish(INSPECT_FLAG_FAILED);
    return 0;
  }
  if (g->owner) misuse("the initialisation of a function-local static enters itself", site);
  g->owner = self() + 1;
  finish();
  return 1;
}
INSPECT_EXPORT void __cxa_guard_release(StaticGuard* g) { end_static(g, true); }
INSPECT_EXPORT void __cxa_guard_abort(StaticGuard* g) { end_static(g, false); }
