// The computer as every execution sees it: four processors, one process number, the same memory, whatever it runs on.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "runtime/environment/random.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/outside.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/virtual_time.hpp"
#include "runtime/upcalls/environment_ready.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/real.hpp"
#include "runtime/upcalls/reports.hpp"

using namespace inspect::runtime;

namespace {

constexpr long kPages = 1l << 20;  // of memory

enum ProcessorValue { time_stamp = 0, random_number = 1 };

}  // namespace

// rdtsc, rdrand and their like in instrumented code.
INSPECT_EXPORT std::uint64_t inspect_processor_value(std::uint32_t which) {
  if (which == random_number) return active() ? draw_random() : 0;
  if (!active()) return 0;
  if (state().execution.created > 1) {
    state().channel->values_left_out = 1;
    assume_text("the processor's time stamp: of the values that it may have one is explored");
  }
  return read_clock();
}

INSPECT_EXPORT pid_t getpid(void) noexcept { return environment_is_real() ? pid_t(system_call(SYS_getpid)) : kProcessNumber; }
INSPECT_EXPORT pid_t getppid(void) noexcept {
  return environment_is_real() ? pid_t(system_call(SYS_getppid)) : kProcessNumber - 1;
}
INSPECT_EXPORT pid_t gettid(void) noexcept { return getpid() + (active() ? current_thread() : 0); }

INSPECT_EXPORT int sched_getcpu(void) noexcept { return 0; }
INSPECT_EXPORT int getcpu(unsigned* processor, unsigned* node) noexcept {
  if (processor) *processor = 0;
  if (node) *node = 0;
  return 0;
}
INSPECT_EXPORT int get_nprocs(void) noexcept { return kProcessors; }
INSPECT_EXPORT int get_nprocs_conf(void) noexcept { return kProcessors; }
INSPECT_EXPORT unsigned _ZNSt6thread20hardware_concurrencyEv(void) { return kProcessors; }
INSPECT_EXPORT long get_phys_pages(void) noexcept { return kPages; }
INSPECT_EXPORT long get_avphys_pages(void) noexcept { return kPages / 2; }
INSPECT_EXPORT int getloadavg(double* averages, int count) noexcept {
  for (int i = 0; i < count && i < 3; ++i) averages[i] = 1.0;
  return count < 3 ? count : 3;
}
INSPECT_EXPORT int sysinfo(struct sysinfo* info) noexcept {
  memset(info, 0, sizeof *info);
  info->uptime = long(active() ? read_clock() / 1'000'000'000 : 0);
  info->totalram = kPages;
  info->freeram = kPages / 2;
  info->procs = 1;
  info->mem_unit = 4096;
  return 0;
}
INSPECT_EXPORT long sysconf(int name) noexcept {
  switch (name) {
    case _SC_NPROCESSORS_ONLN:
    case _SC_NPROCESSORS_CONF:
      return kProcessors;
    case _SC_PHYS_PAGES:
      return kPages;
    case _SC_AVPHYS_PAGES:
      return kPages / 2;
    default:
      return real(&RealFunctions::sysconf)(name);
  }
}
