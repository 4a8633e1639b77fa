// Atomic operations of instrumented code: scheduling points that perform the operation themselves, so that outcome and values
// are known.
#include <string.h>

#include "runtime/memory/arena.hpp"
#include "runtime/memory/module.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/value_wait.hpp"
#include "runtime/upcalls/interruption.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

using namespace inspect::runtime;

namespace {

std::uint64_t load(const void* address, unsigned size) {
  std::uint64_t value = 0;
  memcpy(&value, address, size);
  return value;
}
void store(void* address, unsigned size, std::uint64_t value) { memcpy(address, &value, size); }

std::int64_t sign_extend(std::uint64_t value, unsigned size) {
  const unsigned shift = 64 - 8 * size;
  return std::int64_t(value << shift) >> shift;
}

std::uint64_t combine(unsigned rmw, std::uint64_t old, std::uint64_t operand, unsigned size) {
  switch (rmw) {
    case INSPECT_RMW_Add:
      return old + operand;
    case INSPECT_RMW_Sub:
      return old - operand;
    case INSPECT_RMW_And:
      return old & operand;
    case INSPECT_RMW_Nand:
      return ~(old & operand);
    case INSPECT_RMW_Or:
      return old | operand;
    case INSPECT_RMW_Xor:
      return old ^ operand;
    case INSPECT_RMW_Max:
      return sign_extend(old, size) > sign_extend(operand, size) ? old : operand;
    case INSPECT_RMW_Min:
      return sign_extend(old, size) < sign_extend(operand, size) ? old : operand;
    case INSPECT_RMW_UMax:
      return old > operand ? old : operand;
    case INSPECT_RMW_UMin:
      return old < operand ? old : operand;
    default:
      return operand;
  }
}

Operation atomic_operation(inspect_kind kind, const void* address, unsigned size, unsigned order, const void* site) {
  State& s = state();
  Operation o = operation(kind, address, size, site_number(static_cast<const inspect_site*>(site)));
  o.order = std::uint8_t(order);
  if (order != INSPECT_SEQ_CST) ++s.channel->weak_atomics;
  return o;
}

// The scheduling point, then the liveness check: the object may have been freed meanwhile.
void point(const Operation& o, bool write, Guard guard = nullptr) {
  note_access_of_handlers(o.object, o.size, write, AccessBy::instruction);
  visible(o, guard);
  if (check_access(o.object, o.size) != MemoryFault::none) report_dead_access(o.object, o.size, write, o.site);
  note_touched(o.object, o.size);
  state().execution.touching = o.site;  // until executed()
}
void check(bool ok) {
  if (__builtin_expect(!ok, 0)) report_race();
}

}  // namespace

INSPECT_EXPORT std::uint64_t inspect_atomic_wait(void* address, unsigned size, unsigned order, const void* site,
                                                 unsigned relation, std::uint64_t operand) {
  if (!active()) return load(address, size);
  Operation o = atomic_operation(INSPECT_OP_AtomicLoad, address, size, order, site);
  if (relation != INSPECT_WAITS_NEVER && may_wait_for_value(o.object, size)) {
    o.rmw = std::uint8_t(relation);
    o.object2 = operand;
  }
  point(o, false, inspect_awaits(&o) ? value_guard : nullptr);
  if (inspect_awaits(&o)) refuse_unordered_wait(current_thread(), o);
  check(race_atomic_load(current_thread(), o.object, size, inspect_order(order), o.site));
  const std::uint64_t value = load(address, size);
  executed(0, value);
  return value;
}

INSPECT_EXPORT std::uint64_t inspect_atomic_load(void* address, unsigned size, unsigned order, const void* site) {
  return inspect_atomic_wait(address, size, order, site, INSPECT_WAITS_NEVER, 0);
}

INSPECT_EXPORT void inspect_atomic_store(void* address, unsigned size, unsigned order, std::uint64_t value, const void* site) {
  if (!active()) return store(address, size, value);
  const Operation o = atomic_operation(INSPECT_OP_AtomicStore, address, size, order, site);
  point(o, true);
  check(race_atomic_store(current_thread(), o.object, size, inspect_order(order), o.site));
  const std::uint64_t old = load(address, size);
  store(address, size, value);
  executed(old == load(address, size) ? INSPECT_FLAG_UNCHANGED : 0, old, value);
}

INSPECT_EXPORT std::uint64_t inspect_atomic_rmw(void* address, unsigned size, unsigned order, unsigned rmw, unsigned unused,
                                                std::uint64_t operand, const void* site) {
  const auto perform = [&] {
    const std::uint64_t old = load(address, size);
    store(address, size, combine(rmw, old, operand, size));
    return old;
  };
  if (!active()) return perform();
  Operation o = atomic_operation(INSPECT_OP_AtomicRmw, address, size, order, site);
  o.rmw = std::uint8_t(rmw);
  const bool commuting = unused && rmw != INSPECT_RMW_Xchg && rmw != INSPECT_RMW_Nand && rmw != INSPECT_RMW_Other;
  if (commuting) o.flags |= INSPECT_FLAG_RESULT_UNUSED;
  point(o, true);
  const unsigned group = rmw == INSPECT_RMW_Sub ? INSPECT_RMW_Add : rmw;
  check(race_atomic_rmw(current_thread(), o.object, size, inspect_order(order), o.site, commuting ? 1 + group : 0));
  const std::uint64_t old = perform();
  const std::uint64_t now = load(address, size);
  executed(now == old ? INSPECT_FLAG_UNCHANGED : 0, old, now);
  return old;
}

INSPECT_EXPORT std::uint64_t inspect_atomic_cas(void* address, unsigned size, unsigned order, unsigned failure,
                                                std::uint64_t expected, std::uint64_t desired, const void* site) {
  const std::uint64_t mask = size == 8 ? ~0ull : (1ull << 8 * size) - 1;
  if (!active()) {
    const std::uint64_t old = load(address, size);
    if (old == (expected & mask)) store(address, size, desired);
    return old;
  }
  const Operation o = atomic_operation(INSPECT_OP_AtomicCas, address, size, order, site);
  point(o, true);
  const std::uint64_t old = load(address, size);
  const bool success = old == (expected & mask);
  const std::uint8_t t = current_thread();
  check(success ? race_atomic_rmw(t, o.object, size, inspect_order(order), o.site)
                : race_atomic_load(t, o.object, size, inspect_order(failure), o.site));
  if (success) store(address, size, desired);
  const bool unchanged = success && old == (desired & mask);
  executed(!success ? INSPECT_FLAG_FAILED : unchanged ? INSPECT_FLAG_UNCHANGED : 0, old, (success ? desired : expected) & mask);
  return old;
}

INSPECT_EXPORT void inspect_atomic_point(void* address, unsigned size, unsigned order, unsigned kind, const void* site) {
  if (!active()) return;
  const Operation o = atomic_operation(inspect_kind(kind), address, size, order, site);
  const bool write = kind != INSPECT_OP_AtomicLoad;
  point(o, write);
  const std::uint8_t t = current_thread();
  if (kind == INSPECT_OP_AtomicLoad)
    check(race_atomic_load(t, o.object, size, inspect_order(order), o.site));
  else if (kind == INSPECT_OP_AtomicStore)
    check(race_atomic_store(t, o.object, size, inspect_order(order), o.site));
  else
    check(race_atomic_rmw(t, o.object, size, inspect_order(order), o.site));
  const std::uint64_t old = size <= 8 ? load(address, size) : 0;
  executed(0, old, old);  // what it writes is not known
}

INSPECT_EXPORT void inspect_fence(unsigned order, const void* site) {
  if (!active()) return;
  // Under sequential consistency a fence orders nothing more: no scheduling point, only an edge for the race check.
  race_fence(current_thread(), inspect_order(order));
  (void)site;
  if (order != INSPECT_SEQ_CST) ++state().channel->weak_atomics;
}
