#include "runtime/states/identity.hpp"

#include "runtime/memory/arena.hpp"
#include "runtime/platform/not_state.hpp"
#include "runtime/states/canonical_heap.hpp"
#include "runtime/states/describer.hpp"
#include "runtime/states/independence.hpp"
#include "runtime/states/memory_hash.hpp"
#include "runtime/states/state_hash.hpp"
#include "runtime/states/sync_objects.hpp"
#include "runtime/states/thread_order.hpp"
#include "runtime/upcalls/identities.hpp"

extern "C" {
INSPECT_NOT_STATE void* inspect_frame_top = nullptr;
INSPECT_NOT_STATE void* inspect_callee = nullptr;
INSPECT_NOT_STATE std::uint64_t inspect_stops = 0;
}

namespace inspect::runtime {
namespace {

// Addresses as they are.
Identity plain_identity(const State& s) {
  StateHash hash(begin_state_words());
  Describer describer(s, hash);
  if (!describer.threads()) return {.low = 0, .high = 0, .why = describer.why()};
  describer.process();
  const MemoryHash memory = memory_hash();
  hash.summary(memory.low, memory.high);
  if (hash.has_words()) describe_memory(hash);
  // How much was allocated; the objects themselves are in the hash of memory.
  for (unsigned i = 0; i < s.execution.thread_limit; ++i) {
    const ThreadArena& a = arena_state().threads[i];
    hash.word(a.small_count | std::uint64_t(a.large_count) << 32);
    hash.word(a.small_break);
    hash.word(a.large_break);
  }
  keep_state_words();
  return identity_of(hash);
}

Identity identity(const State& s) {
  if (!(s.request.message->flags & INSPECT_REQUEST_CANONICAL) || s.execution.time_used || exit_handlers_have_addresses())
    return plain_identity(s);
  Identity id{};
  if (threads_trade_places() && identity_by_order(s, id)) return id;
  if (!describe_canonically(s, nullptr, id)) return plain_identity(s);
  keep_state_words();
  return id;
}

}  // namespace

Identity identity_of_state() {
  const State& s = state();
  Identity id = identity(s);
  if (state_words_are_asked_for() && (id.low | id.high) && !kept_state_words().is_whole())
    id = {.low = 0, .high = 0, .why = INSPECT_NO_IDENTITY_LENGTH};
  if (s.request.message->flags & INSPECT_REQUEST_INDEPENDENCE) {
    id.allocations = allocations_so_far(s);
    if (id.low | id.high) id.safe = independent_threads(s);
  }
  return id;
}

bool has_identity() {
  StateHash hash;
  return Describer(state(), hash).threads();
}

void stop_frames(Thread& t) {
  t.frames = inspect_frame_top;
  t.stops = std::uint32_t(++inspect_stops);
}

void resume_frames(const Thread& t) {
  inspect_frame_top = t.frames;
  inspect_stops = t.stops;
  inspect_callee = nullptr;
}

}  // namespace inspect::runtime
