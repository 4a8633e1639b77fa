#include "runtime/states/cycle.hpp"

#include <string.h>

#include "runtime/states/conditions.hpp"
#include "runtime/states/identity.hpp"
#include "runtime/upcalls/ends.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {

void watch_cycle(State& s) {
  const std::uint64_t length = s.request.prefix_length, at = s.execution.position;
  if (!s.request.message || !(s.request.message->flags & INSPECT_REQUEST_CYCLE)) return;
  const std::uint64_t cycle = s.request.message->cycle;
  if (!cycle || cycle > length || (at != length - cycle && at != length)) return;
  const Identity id = identity_of_state();
  const std::uint64_t now[3] = {id.low, id.high, valuation(s)};
  if (at == length - cycle) {
    memcpy(s.execution.cycle_state, now, sizeof now);
    return;
  }
  const bool closed = (id.low | id.high) && memcmp(now, s.execution.cycle_state, sizeof now) == 0;
  if (!closed) {
    format_message("the last %lu steps do not lead back to the state in which they began", cycle);
    end_execution(INSPECT_END_DIVERGED, std::uint32_t(at), 0);
  }
  s.channel->results[s.request.slot].bug_thread = s.current->id;
  end_execution(INSPECT_END_BUG, INSPECT_BUG_TEMPORAL, 0);
}

}  // namespace inspect::runtime
