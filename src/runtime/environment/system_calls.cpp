// syscall(): system calls that a program makes by number. Those that have a modelled function in the library go there; those
// that can neither block nor depend on the world are passed on; every other is refused by number.
#include <errno.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/platform/export.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/threads/futex.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/spin.hpp"

namespace inspect::runtime {
namespace {

long with_errno(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = int(-result);
  return -1;
}

template <class T>
T pointer(long argument) {
  return reinterpret_cast<T>(argument);
}

// Threads share one processor: what membarrier orders is ordered.
long memory_barrier(int command) {
  return command == MEMBARRIER_CMD_QUERY
             ? MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_PRIVATE_EXPEDITED | MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED
             : 0;
}

// What the kernel reads and writes of the caller's memory: a modelled function by name has a row that says so.
void tell_read(long number, const long (&a)[6], std::uint32_t site) {
  switch (number) {
    case SYS_write:
      return access_for_call(pointer<void*>(a[1]), std::size_t(a[2]), false, site);
    case SYS_nanosleep:
      return access_for_call(pointer<void*>(a[0]), sizeof(timespec), false, site);
    case SYS_clock_nanosleep:
      return access_for_call(pointer<void*>(a[2]), sizeof(timespec), false, site);
    case SYS_sched_setaffinity:
      return access_for_call(pointer<void*>(a[2]), std::size_t(a[1]), false, site);
    default:
      return;
  }
}

void tell_written(long number, const long (&a)[6], long result, std::uint32_t site) {
  const auto writes = [site](long address, std::size_t size) {
    if (!address) return;
    note_library_write(*state().current, std::uintptr_t(address), size);  // what was there before is gone
    access_for_call(pointer<void*>(address), size, true, site);
  };
  if (result < 0) return;
  switch (number) {
    case SYS_read:
      return writes(a[1], std::size_t(result));
    case SYS_getrandom:
      return writes(a[0], std::size_t(result));
    case SYS_clock_gettime:
    case SYS_clock_getres:
      return writes(a[1], sizeof(timespec));
    case SYS_gettimeofday:
      writes(a[0], sizeof(timeval));
      return writes(a[1], sizeof(struct timezone));
    case SYS_time:
      return writes(a[0], sizeof(time_t));
    case SYS_getcpu:
      writes(a[0], sizeof(unsigned));
      return writes(a[1], sizeof(unsigned));
    case SYS_sched_getaffinity:
      return writes(a[2], std::size_t(a[1]));
    default:
      return;
  }
}

long modelled_call(long number, const long (&a)[6], std::uint32_t site) {
  switch (number) {
    case SYS_futex:
      return with_errno(futex(a, site));
    case SYS_gettid:
      return gettid();
    case SYS_getpid:
      return getpid();
    case SYS_getppid:
      return getppid();
    case SYS_sched_yield:
      return sched_yield();
    case SYS_nanosleep:
      return nanosleep(pointer<const timespec*>(a[0]), pointer<timespec*>(a[1]));
    case SYS_clock_nanosleep:
      return with_errno(-clock_nanosleep(clockid_t(a[0]), int(a[1]), pointer<const timespec*>(a[2]), pointer<timespec*>(a[3])));
    case SYS_clock_gettime:
      return clock_gettime(clockid_t(a[0]), pointer<timespec*>(a[1]));
    case SYS_clock_getres:
      return clock_getres(clockid_t(a[0]), pointer<timespec*>(a[1]));
    case SYS_gettimeofday:
      return gettimeofday(pointer<timeval*>(a[0]), pointer<void*>(a[1]));
    case SYS_time:
      return time(pointer<time_t*>(a[0]));
    case SYS_getcpu:
      return getcpu(pointer<unsigned*>(a[0]), pointer<unsigned*>(a[1]));
    case SYS_sched_getaffinity:
      return sched_getaffinity(pid_t(a[0]), std::size_t(a[1]), pointer<cpu_set_t*>(a[2])) ? -1 : a[1];
    case SYS_sched_setaffinity:
      return sched_setaffinity(pid_t(a[0]), std::size_t(a[1]), pointer<const cpu_set_t*>(a[2]));
    case SYS_getrandom:
      return getrandom(pointer<void*>(a[0]), std::size_t(a[1]), unsigned(a[2]));
    case SYS_membarrier:
      return with_errno(memory_barrier(int(a[0])));
    case SYS_exit_group:
      _exit(int(a[0]));
    case SYS_read:
      return read(int(a[0]), pointer<void*>(a[1]), std::size_t(a[2]));
    case SYS_write:
      return write(int(a[0]), pointer<const void*>(a[1]), std::size_t(a[2]));
    case SYS_close:
      return close(int(a[0]));
    case SYS_mmap:
      return long(mmap(pointer<void*>(a[0]), std::size_t(a[1]), int(a[2]), int(a[3]), int(a[4]), a[5]));
    case SYS_munmap:
      return munmap(pointer<void*>(a[0]), std::size_t(a[1]));
    case SYS_mprotect:
      return mprotect(pointer<void*>(a[0]), std::size_t(a[1]), int(a[2]));
    case SYS_madvise:
      return madvise(pointer<void*>(a[0]), std::size_t(a[1]), int(a[2]));
    case SYS_getuid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getegid:
      return with_errno(system_call(number, a[0], a[1], a[2], a[3], a[4], a[5]));
    default:
      report_unsupported(format_message("system call number %ld", number), site);
  }
}

}  // namespace
}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT long syscall(long number, ...) {
  long a[6];
  va_list arguments;
  va_start(arguments, number);
  for (long& argument : a) argument = va_arg(arguments, long);
  va_end(arguments);
  if (!active()) return with_errno(system_call(number, a[0], a[1], a[2], a[3], a[4], a[5]));
  const std::uint32_t site = INSPECT_CALLER_SITE();
  tell_read(number, a, site);
  const long result = modelled_call(number, a, site);
  tell_written(number, a, result, site);
  return result;
}
