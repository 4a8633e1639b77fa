#include "runtime/schedule/spin_watch.hpp"

#include "runtime/schedule/loop_state.hpp"
#include "runtime/upcalls/spin.hpp"

namespace inspect::runtime {
namespace {

constexpr std::uint32_t kSpinLimit = 300;  // reads in a row of values that were there before
constexpr std::uint32_t kWaitLimit =
    600;  // and between them operations on the same few objects, whose values are not looked at

}  // namespace

// Each further turn would be one more schedule, without end.
void watch_spinning(State& s, Thread& t, const Operation& o, std::uint64_t read) {
  SpinWatch& spin = loop_watch(t).spin;
  if (o.kind == INSPECT_OP_CondWake) return;  // of a wait that was counted when it timed out, or that a signal ended
  const bool reads =
      inspect_family_of(o.kind) != INSPECT_FAMILY_Local &&
      !(o.flags & INSPECT_FLAG_RESULT_UNUSED) &&  // what such an operation finds depends on the order of those that commute
      (inspect_effect_of(o.kind) == INSPECT_EFFECT_Read || (o.flags & (INSPECT_FLAG_FAILED | INSPECT_FLAG_UNCHANGED)));
  unsigned i = 0;
  while (i < SpinWatch::kObjects && spin.objects[i] != o.object) ++i;
  const bool known = i < SpinWatch::kObjects;
  if (!known) i = spin.next++ % SpinWatch::kObjects;
  const bool same = known && (!reads || spin.values[i] == read);
  spin.objects[i] = o.object;
  if (reads) spin.values[i] = read;
  spin.fresh |= !same;
  spin.count = reads && same ? spin.count + 1 : 0;
  spin.waits = same ? spin.waits + reads : 0;
  if (!same) loop_watch(t).change = {};
  const bool waits = spin.waits > kWaitLimit && s.execution.alive.count() > 1;
  if ((spin.count > kSpinLimit || waits) && !s.standalone && !takes_all_turns(s)) give_up_loop(t, o.site);
}

}  // namespace inspect::runtime
