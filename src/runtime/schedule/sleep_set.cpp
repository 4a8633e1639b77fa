#include "runtime/schedule/sleep_set.hpp"

#include "runtime/platform/mutation.hpp"

namespace inspect::runtime {

// The label a sleeping transition had: its thread's pending operation with the outcome seen when it was explored.
void install_sleep_set(const Request& request) {
  SleepSet& all = sleep_set();
  const auto* const listed = reinterpret_cast<const inspect_sleeper*>(request.prefix + request.prefix_length);
  all.count = 0;
  for (unsigned i = 0; i < request.message->sleep_length && i < SleepSet::kMost; ++i) {
    Sleeper& to = all.sleepers[all.count++];
    to.thread = listed[i].thread;
    to.alternative = listed[i].alternative;
    to.awake = false;
    to.operation = state().threads[to.thread].pending;
    to.operation.flags = listed[i].flags;
    if (listed[i].kind) to.operation.kind = listed[i].kind;
  }
  all.asleep_count = all.count;
}

void wake_dependent(const Operation& o) {
  if (mutated(Mutation::sleepers_stay_asleep)) return;
  SleepSet& all = sleep_set();
  const std::uint8_t self = current_thread();
  for (unsigned i = 0; i < all.count; ++i) {
    Sleeper& sleeper = all.sleepers[i];
    if (sleeper.awake) continue;
    if (sleeper.thread != self && o.kind != INSPECT_OP_AtomicSection && !inspect_dependent(&o, &sleeper.operation)) continue;
    sleeper.awake = true;
    --all.asleep_count;
  }
}

bool is_among_sleepers(unsigned thread, unsigned alternative) {
  const SleepSet& all = sleep_set();
  for (unsigned i = 0; i < all.count; ++i) {
    const Sleeper& sleeper = all.sleepers[i];
    if (!sleeper.awake && sleeper.thread == thread && sleeper.alternative == alternative) return true;
  }
  return false;
}

}  // namespace inspect::runtime
