// Barriers, in the memory of pthread_barrier_t.
//
// Guarantees: any thread of a round may be its serial thread (the alternatives of the arrival that completes it: thread
// numbers); a barrier may be destroyed as soon as its round is complete, and the destruction waits until all have left, as
// glibc's does.
#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "runtime/platform/export.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/threads/initialised.hpp"
#include "runtime/threads/sync.hpp"
#include "runtime/upcalls/sync_threads.hpp"

namespace inspect::runtime {
namespace {

constexpr unsigned kClocks = 4;  // a clock a round, in turn: who leaves late must not learn of the arrivals of the next round

struct Barrier {
  std::uint32_t count;    // threads a round
  std::uint32_t leaving;  // threads of complete rounds that have not left yet
  Mask arrived;           // in the present round
  std::uint32_t round;
  std::uint32_t mark;  // initialised.hpp
};
static_assert(sizeof(Barrier) == sizeof(pthread_barrier_t));

// wait_value of a thread in a barrier: the round, and whether it is its serial thread.
constexpr std::uint64_t kSerial = 1ull << 32;

Barrier& barrier_of(pthread_barrier_t* b) { return *reinterpret_cast<Barrier*>(b); }
const Barrier& barrier_of(const Thread& t) { return *reinterpret_cast<const Barrier*>(t.pending.object); }
Operation barrier_operation(inspect_kind kind, const pthread_barrier_t* b, std::uint32_t site) {
  return operation(kind, b, sizeof *b, site);
}

Mask arrive_guard(const Thread& t) {
  const Barrier& x = barrier_of(t);
  if (x.mark != mark_of(&x) || unsigned(x.arrived.count()) + 1 != x.count) return Mask::one(0);
  Mask serial = x.arrived;
  serial.add(t.id);
  return serial;
}
Mask leave_guard(const Thread& t) { return enabled_if(t.wait.wakeup == Wakeup::signalled); }
Mask destroy_guard(const Thread& t) {
  const Barrier& x = barrier_of(t);
  return !x.leaving || !x.arrived.empty() || x.mark != mark_of(&x) ? Mask::one(0) : blocked(t);
}

// The last one has arrived.
void complete_round(Barrier& x, unsigned serial) {
  x.arrived.for_each([&](unsigned i) {
    Thread& t = state().threads[i];
    t.wait.wakeup = Wakeup::signalled;
    if (i == serial) t.wait.value |= kSerial;
    ++x.leaving;
  });
  x.arrived = {};
  ++x.round;
}

void check_usable(const Barrier& x, std::uint32_t site) { require_initialised(&x, sizeof x, x.mark, false, "a barrier", site); }

int wait(pthread_barrier_t* b, std::uint32_t site) {
  Barrier& x = barrier_of(b);
  Thread& t = self_thread();
  const unsigned serial = announce(barrier_operation(INSPECT_OP_BarrierArrive, b, site), arrive_guard);
  check_usable(x, site);
  t.wait.wakeup = Wakeup::none;
  t.wait.value = x.round;
  x.arrived.add(t.id);
  release_edge(b, x.round % kClocks);
  if (unsigned(x.arrived.count()) == x.count) complete_round(x, serial);
  finish();
  announce(barrier_operation(INSPECT_OP_BarrierLeave, b, site), leave_guard);
  --x.leaving;
  acquire_edge(b, std::uint32_t(t.wait.value) % kClocks);
  release_edge(b, kClocks);  // to the destruction, which waits for it
  finish();
  return t.wait.value & kSerial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

int initialise(pthread_barrier_t* b, unsigned count, std::uint32_t site) {
  if (!count || count > INT_MAX) return EINVAL;
  for_each_pending_on(b, [&](const Thread& t) {
    if (t.pending.kind == INSPECT_OP_BarrierLeave) misuse("a barrier is initialised while threads are in it", site);
  });
  initialise_object(b, sizeof *b, INSPECT_FAMILY_Barrier, site);
  require_new(b, barrier_of(b).mark, "a barrier", site);
  memset(b, 0, sizeof *b);
  barrier_of(b).mark = mark_of(b);
  barrier_of(b).count = count;
  return 0;
}

int destroy(pthread_barrier_t* b, std::uint32_t site) {
  announce(barrier_operation(INSPECT_OP_BarrierDestroy, b, site), destroy_guard);
  Barrier& x = barrier_of(b);
  if (x.mark == kDestroyed) misuse("a barrier is destroyed twice", site);
  check_usable(x, site);
  if (!x.arrived.empty()) misuse("a barrier is destroyed while threads wait at it", site);
  acquire_edge(b, kClocks);
  x.mark = kDestroyed;
  finish();
  return 0;
}

}  // namespace

const SyncObjectKind kBarriers = {
    .bytes = sizeof(Barrier),
    .mark = offsetof(Barrier, mark),
    .holds_threads = true,
    .tells_apart =
        [](std::uint64_t object, unsigned a, unsigned b) {
          const auto& x = *reinterpret_cast<const Barrier*>(object);
          return x.arrived.has(a) != x.arrived.has(b);
        },
    .with_names =
        [](std::uint64_t object, std::uint64_t offset, std::uint64_t word, const ThreadNames& names) {
          constexpr std::uint64_t kFirst = offsetof(Barrier, arrived);
          return offset >= kFirst && offset < kFirst + sizeof(Mask) ? set_with_names(object, kFirst, offset, names) : word;
        },
};

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT int pthread_barrier_init(pthread_barrier_t* b, const pthread_barrierattr_t* attributes, unsigned count) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  reads_argument(attributes, sizeof *attributes, site);
  require_attributes(attributes, "pthread_barrier_init", site);
  return initialise(b, count, site);
}
INSPECT_EXPORT int pthread_barrier_wait(pthread_barrier_t* b) { return wait(b, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int pthread_barrier_destroy(pthread_barrier_t* b) { return destroy(b, INSPECT_CALLER_SITE()); }
