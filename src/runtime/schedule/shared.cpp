// Which locations of plain memory are scheduling points. With visible=all one becomes so when a second thread touches it, else
// when it has a race behind which the search goes on. It stays so over all executions of the search; what was explored before
// is void, and the explorer starts again (SEMANTICS C.4, C.7). In the execution that shows it, it is none yet: so each
// execution can be had again by the number of points that it knew.
#include "hooks/shared_table.h"
#include "runtime/platform/mutation.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/upcalls/interruption.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

inspect_shared_table& table() { return *inspect_shared_table_of(reinterpret_cast<inspect_channel*>(kChannelBase)); }

inspect_shared_entry& entry_of(std::uint64_t granule) {
  inspect_shared_entry* const entry = inspect_shared_entry_of(&table(), granule);
  if (!entry) report_limit(INSPECT_LIMIT_MEMORY, "too many different memory locations are scheduling points", 0);
  return *entry;
}

bool is_point(const inspect_shared_entry& e) { return e.shared && e.shared <= state().request.point_limit; }

// An execution that is shown again knows as many points as it did.
bool may_grow() {
  const inspect_request& request = *state().request.message;
  return !(request.flags & INSPECT_REQUEST_RERUN) || request.points == INSPECT_ALL_POINTS;
}

bool is_known_point(std::uintptr_t address, std::size_t size) {
  for (std::uint64_t granule = address >> 3; granule <= (address + size - 1) >> 3; ++granule) {
    const inspect_shared_entry* const e = inspect_shared_entry_if(&table(), granule);
    if (e && is_point(*e)) return true;
  }
  return false;
}

}  // namespace

void shared_begin_execution() {
  State& s = state();
  const inspect_configuration& c = s.channel->configuration;
  const std::uint32_t grew = s.channel->shared_locations_grew;
  s.request.point_limit = s.request.message->points < grew ? s.request.message->points : grew;
  const bool known = s.request.point_limit && !mutated(Mutation::races_make_no_points);
  s.points = c.visible_all                                                                             ? Points::shared
             : known || s.uses.may_cancel_anywhere || (s.uses.sends_signals && s.uses.handles_signals) ? Points::races
                                                                                                       : Points::none;
  if (s.points == Points::shared) ++table().execution;
}

bool shared_location(std::uintptr_t address, std::size_t size) {
  State& s = state();
  if (s.points == Points::races) return is_known_point(address, size);
  const std::uint32_t execution = table().execution;
  const bool grows = !(s.request.message->flags & INSPECT_REQUEST_RERUN);
  bool shared = false;
  for (std::uint64_t granule = address >> 3; granule <= (address + size - 1) >> 3; ++granule) {
    inspect_shared_entry& e = entry_of(granule);
    if (e.execution != execution) {
      e.execution = execution;
      e.owner = s.current->id;
    } else if (!e.shared && e.owner != s.current->id && grows) {
      inspect_make_shared(s.channel, &e);
    }
    shared |= is_point(e);
  }
  return shared;
}

void never_a_point(std::uintptr_t address, std::size_t size) {
  const State& s = state();
  if (!s.channel->configuration.races_go_on || s.standalone) return;
  for (std::uint64_t granule = address >> 3; granule <= (address + size - 1) >> 3; ++granule)
    entry_of(granule).forbidden = true;
}

// What is seen is noted beside the granules of addresses, which are shorter.
void note_handler_access(std::uintptr_t address, std::size_t size, bool write, HandlerAccess by) {
  constexpr std::uint64_t kBeside = 1ull << 60;
  constexpr unsigned kSignalShift = 16;
  enum : std::uint32_t { kRead = 1, kWritten = 2, kReadByHandler = 4, kWrittenByHandler = 8, kSeveral = 16, kInParts = 32 };
  if (state().standalone || !size) return;
  for (std::uint64_t granule = address >> 3; granule <= (address + size - 1) >> 3; ++granule) {
    std::uint32_t& seen = entry_of(granule | kBeside).execution;
    const std::uint32_t known = seen >> kSignalShift;
    if (by.signal && (by.repeats || (known && known != std::uint32_t(by.signal)))) seen |= kSeveral;
    if (by.signal) seen = (seen & ((1u << kSignalShift) - 1)) | std::uint32_t(by.signal) << kSignalShift;
    seen |= by.signal ? (write ? kWrittenByHandler : kReadByHandler) : (write ? kWritten : kRead);
    if (by.in_parts) seen |= kInParts;
    const bool conflict =
        seen & kWrittenByHandler ? seen & (kRead | kWritten | kSeveral) : (seen & kReadByHandler) && (seen & kWritten);
    if (!conflict) continue;
    make_shared(granule << 3);
    if (seen & kInParts) note_unsafe_handler("shares memory with a call or copy, within which it is not run");
  }
}

bool is_never_a_point(std::uintptr_t address) {
  const inspect_shared_entry* const e = inspect_shared_entry_if(&table(), address >> 3);
  return e && e->forbidden;
}

bool is_made_shared(std::uintptr_t address) { return is_point(entry_of(address >> 3)); }

void make_shared(std::uintptr_t address) {
  inspect_shared_entry& e = entry_of(address >> 3);
  if (!e.shared && may_grow()) inspect_make_shared(state().channel, &e);
}

void make_all_shared(std::uintptr_t address, std::size_t size) {
  if (state().standalone) return;
  for (std::uint64_t granule = address >> 3; granule <= (address + size - 1) >> 3; ++granule) make_shared(granule << 3);
}

}  // namespace inspect::runtime
