// Exceptions that several threads own (std::exception_ptr): the library counts the owners by an atomic that no hook sees. What
// is ordered by the count is ordered by a visible operation, as every order is (SEMANTICS C.1).
//
// The C++ library is reached through a weak reference and the layouts of its ABI only.
#include "runtime/memory/arena.hpp"
#include "runtime/memory/module.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

extern "C" void* __cxa_get_globals() __attribute__((weak));

namespace inspect::runtime {
namespace {

// libstdc++'s __cxa_refcounted_exception: the count, then __cxa_exception, then the object that was thrown.
constexpr std::size_t kCountBeforeObject = 128, kHeaderBytes = 112, kHandlerCount = 40, kClass = 80;
constexpr std::uint32_t kCountBytes = 4;
constexpr std::uint64_t kLibraryClass = 0x474e5543432b2b00;  // "GNUCC++", the last byte: 1 if it stands for another

template <class T>
T at(const char* header, std::size_t offset) {
  return *reinterpret_cast<const T*>(header + offset);
}

// Of the object whose handler is about to end; null if others in this thread are not done with it.
const char* count_of_handled() {
  if (!__cxa_get_globals) return nullptr;
  const auto* const header = at<const char*>(static_cast<const char*>(__cxa_get_globals()), 0);
  if (!header || (at<std::uint64_t>(header, kClass) & ~0xfful) != kLibraryClass) return nullptr;
  if (at<int>(header, kHandlerCount) != 1) return nullptr;
  const bool stands_for_another = at<std::uint64_t>(header, kClass) & 1;
  const char* const object = stands_for_another ? at<const char*>(header, 0) : header + kHeaderBytes;
  return object - kCountBeforeObject;
}

}  // namespace
}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT void inspect_exception_counted(const void* count, unsigned adds, const void* site) {
  State& s = state();
  if (!active() || s.execution.created <= 1) return;
  if (!count) count = count_of_handled();
  if (!count) return;
  Operation o = operation(INSPECT_OP_AtomicRmw, count, kCountBytes, site_number(static_cast<const inspect_site*>(site)));
  o.order = INSPECT_ACQ_REL;
  o.rmw = adds ? INSPECT_RMW_Add : INSPECT_RMW_Sub;
  if (adds) o.flags |= INSPECT_FLAG_RESULT_UNUSED;
  visible(o);  // the library counts right after it
  if (check_access(o.object, kCountBytes) != MemoryFault::none) report_dead_access(o.object, kCountBytes, true, o.site);
  if (!race_atomic_rmw(s.current->id, o.object, kCountBytes, INSPECT_ACQ_REL, o.site, adds ? 1 + INSPECT_RMW_Add : 0))
    report_race();
  executed();
}
