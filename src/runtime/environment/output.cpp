#include "runtime/environment/output.hpp"

#include <fcntl.h>

#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/outside.hpp"
#include "runtime/platform/state.hpp"
#include "runtime/platform/system_call.hpp"

namespace inspect::runtime {
namespace {

constexpr int kFirstRuntimeDescriptor = 900;

int keep_descriptor(int fd) {
  const int kept = int(system_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, kFirstRuntimeDescriptor));
  return kept >= 0 ? kept : fd;
}

}  // namespace

Output& output() { return part<Output>(Part::output); }

void boot_output() {
  Output& o = output();
  const int null = int(system_call(SYS_open, reinterpret_cast<long>("/dev/null"), O_RDWR | O_CLOEXEC));
  o.null = keep_descriptor(null);
  system_call(SYS_close, null);
  o.output = keep_descriptor(1);
  o.error = keep_descriptor(2);
  restore_output_descriptors();
}

void boot_standalone_output() {
  output().error = 2;
  output().open = true;
}

void open_output(bool open) {
  if (state().standalone || output().open == open) return;
  output().open = open;
  restore_output_descriptors();
}

void restore_output_descriptors() {
  const Output& o = output();
  system_call(SYS_dup2, o.open ? o.output : o.null, 1);
  system_call(SYS_dup2, o.open ? o.error : o.null, 2);
}

}  // namespace inspect::runtime
