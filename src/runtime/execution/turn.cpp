#include "runtime/execution/turn.hpp"

#include <linux/futex.h>

#include "runtime/execution/copies.hpp"
#include "runtime/platform/system_call.hpp"

namespace inspect::runtime {
namespace {

constexpr int kSpins = 3000;

void wait_for_message(inspect_channel& c, std::uint32_t seen) {
  const int spins = c.one_core ? 0 : kSpins;
  for (int i = 0; i < spins; ++i) {
    if (__atomic_load_n(&c.request, __ATOMIC_ACQUIRE) != seen) return;
    __builtin_ia32_pause();
  }
  __atomic_store_n(&c.executor_sleeps, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&c.request, __ATOMIC_SEQ_CST) == seen)
    system_call(SYS_futex, reinterpret_cast<long>(&c.request), FUTEX_WAIT, seen);
  __atomic_store_n(&c.executor_sleeps, 0, __ATOMIC_SEQ_CST);
}

}  // namespace

void boot_turns() { copies().served = __atomic_load_n(&state().channel->request, __ATOMIC_SEQ_CST); }

Turn next_turn() {
  inspect_channel& c = *state().channel;
  Copies& all = copies();
  if (__atomic_load_n(&c.request, __ATOMIC_ACQUIRE) == all.served) {
    const std::uint64_t since = __builtin_ia32_rdtsc();
    wait_for_message(c, all.served);
    all.idle += __builtin_ia32_rdtsc() - since;
  }
  const unsigned slot = __atomic_load_n(&c.completed, __ATOMIC_SEQ_CST);
  if (slot == 0) all.next_request = c.requests;
  const auto* const request = reinterpret_cast<const inspect_request*>(all.next_request);
  const auto* const next = reinterpret_cast<const inspect_request*>(all.next_request + inspect_request_bytes(request));
  return {request, slot + 1 < c.batch ? next : nullptr, slot};
}

void complete_turn(const Turn& turn) {
  inspect_channel& c = *state().channel;
  const bool last = !turn.next;
  ++copies().turns;
  if (last)
    ++copies().served;
  else
    copies().next_request = reinterpret_cast<const std::uint8_t*>(turn.next);
  __atomic_store_n(&c.completed, turn.slot + 1, __ATOMIC_SEQ_CST);
  if (last && __atomic_load_n(&c.explorer_sleeps, __ATOMIC_SEQ_CST))
    system_call(SYS_futex, reinterpret_cast<long>(&c.completed), FUTEX_WAKE, 1);
}

inspect_record* log_of(const Turn& turn) {
  inspect_channel& c = *state().channel;
  return c.log + (turn.slot ? c.results[turn.slot - 1].end : 0);
}

}  // namespace inspect::runtime
