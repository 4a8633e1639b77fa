#include "runtime/environment/mapping_leaks.hpp"

#include <fcntl.h>

#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/state.hpp"
#include "runtime/platform/system_call.hpp"

namespace inspect::runtime {
namespace {

// The kernel allows 65,530 by default, and the check comes only now and then.
constexpr unsigned kMost = 16384, kFirstCheck = 64;

struct MappingLeaks {
  std::uint64_t next_check;  // number of an execution
  unsigned at_boot;
};
MappingLeaks& leaks() { return part<MappingLeaks>(Part::mapping_leaks); }

unsigned count_mappings() {
  const long fd = system_call(SYS_open, reinterpret_cast<long>("/proc/self/maps"), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  unsigned lines = 0;
  char text[4096];
  for (long n; (n = system_call(SYS_read, fd, reinterpret_cast<long>(text), sizeof text)) > 0;)
    for (long i = 0; i < n; ++i) lines += text[i] == '\n';
  system_call(SYS_close, fd);
  return lines;
}

}  // namespace

void boot_mapping_leaks() { leaks() = {kFirstCheck, count_mappings()}; }

bool has_leaked_mappings() {
  MappingLeaks& l = leaks();
  const std::uint64_t executions = state().executions;
  if (executions < l.next_check) return false;
  const unsigned now = count_mappings(), leaked = now > l.at_boot ? now - l.at_boot : 0;
  const std::uint64_t per_execution = leaked / executions + 1;
  l.next_check = executions + kMost / per_execution + 1;
  return leaked >= kMost;
}

}  // namespace inspect::runtime
