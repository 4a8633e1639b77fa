#include "runtime/platform/state.hpp"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/system_call.hpp"

namespace inspect::runtime {

void fail_to_start(const char* message) {
  system_call(SYS_write, 2, reinterpret_cast<long>("inspect: "), 9);
  system_call(SYS_write, 2, reinterpret_cast<long>(message), long(strlen(message)));
  system_call(SYS_write, 2, reinterpret_cast<long>("\n"), 1);
  for (;;) system_call(SYS_exit_group, 70);
}

void map_state() {
  State& s = state();
  constexpr std::size_t bytes = kParts + kPartsBytes - kStateBase;
  static_assert(sizeof(State) + (64 << 10) <= kParts - kStateBase);
  const long at = system_call(SYS_mmap, kStateBase, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  if (at < 0 && at != -17) fail_to_start("cannot map the runtime's state: the address range is taken");
  if (at >= 0) s.current = &s.threads[0];
}

}  // namespace inspect::runtime
