// The clocks and sleeps of the C library, on virtual time: no call waits, every clock is a function of the thread's past
// (SEMANTICS B.6).
#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "runtime/platform/export.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/virtual_time.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/interruption.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

using namespace inspect::runtime;

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kTicksPerSecond = 100;  // of times()

long checked(long result) {
  if (result >= 0) return result;
  errno = int(-result);
  return -1;
}

// ns that the clock shows when an execution begins; false for a clock that does not exist. Negative numbers are CPU clocks of
// threads.
bool clock_begins(clockid_t clock, std::uint64_t* begin) {
  *begin = 0;
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI:
      *begin = kEpochSeconds * kSecond;
      return true;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
      return true;
    default:
      return clock < 0;
  }
}

std::uint64_t wall_clock() { return kEpochSeconds * kSecond + read_clock(); }

bool valid(const timespec& t) { return t.tv_sec >= 0 && t.tv_nsec >= 0 && t.tv_nsec < long(kSecond); }

std::uint64_t nanoseconds(const timespec& t) {
  constexpr std::uint64_t kLongest = INT64_MAX / 2;
  return std::uint64_t(t.tv_sec) >= kLongest / kSecond ? kLongest
                                                       : std::uint64_t(t.tv_sec) * kSecond + std::uint64_t(t.tv_nsec);
}

timespec to_timespec(std::uint64_t ns) { return {time_t(ns / kSecond), long(ns % kSecond)}; }
timeval to_timeval(std::uint64_t ns) { return {time_t(ns / kSecond), suseconds_t(ns % kSecond / 1000)}; }

constexpr std::uint64_t kSlept = ~0ull;
// ns that are left when a handler has interrupted the sleep, or kSlept. Handlers may run before it begins, too.
std::uint64_t sleep_until(std::uint64_t end, std::uint32_t site) {
  if (signals_interrupt()) {
    const std::uint64_t begin = present_clock();
    take_signals_before(operation(INSPECT_OP_None, nullptr, 0, site), false);
    const bool interrupted = interrupted_call(site) != Interruption::none;
    state().current->signals.taken = false;
    if (interrupted) {
      assume_text("a sleep that a signal interrupts has just begun");
      return end - begin - 1;
    }
  }
  advance_clock(end);
  return kSlept;
}

// Returns 0 or EINTR.
int sleep_for(std::uint64_t ns, timespec* left, std::uint32_t site) {
  if (!ns) return 0;
  const std::uint64_t rest = sleep_until(present_clock() + ns, site);
  if (rest == kSlept) return 0;
  writes_argument(left, sizeof *left, site);
  if (left) *left = to_timespec(rest);
  return EINTR;
}

int rest(const timespec& duration, timespec* left, std::uint32_t site) {
  if (!active()) return int(checked(system_call(SYS_nanosleep, reinterpret_cast<long>(&duration), 0)));
  const int error = sleep_for(nanoseconds(duration), left, site);
  return error ? (errno = error, -1) : 0;
}

}  // namespace

INSPECT_EXPORT int clock_gettime(clockid_t clock, timespec* now) {
  if (!active()) return int(checked(system_call(SYS_clock_gettime, clock, reinterpret_cast<long>(now))));
  std::uint64_t begin;
  if (!clock_begins(clock, &begin)) return errno = EINVAL, -1;
  *now = to_timespec(begin + read_clock());
  return 0;
}
INSPECT_EXPORT int clock_getres(clockid_t clock, timespec* resolution) {
  std::uint64_t begin;
  if (!clock_begins(clock, &begin)) return errno = EINVAL, -1;
  if (resolution) *resolution = {0, 1};
  return 0;
}
INSPECT_EXPORT int clock_settime(clockid_t, const timespec*) { return errno = EPERM, -1; }
INSPECT_EXPORT int settimeofday(const timeval*, const struct timezone*) { return errno = EPERM, -1; }

INSPECT_EXPORT int gettimeofday(timeval* now, void* zone) {
  if (!active()) return int(checked(system_call(SYS_gettimeofday, reinterpret_cast<long>(now), reinterpret_cast<long>(zone))));
  *now = to_timeval(wall_clock());
  if (zone) *static_cast<struct timezone*>(zone) = {};
  return 0;
}
INSPECT_EXPORT time_t time(time_t* seconds) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (seconds) *seconds = now.tv_sec;
  return now.tv_sec;
}
INSPECT_EXPORT int timespec_get(timespec* now, int base) {
  if (base != TIME_UTC) return 0;
  return clock_gettime(CLOCK_REALTIME, now) ? 0 : base;
}
INSPECT_EXPORT clock_t clock(void) {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return clock_t(nanoseconds(now) / (kSecond / CLOCKS_PER_SEC));
}
INSPECT_EXPORT clock_t times(tms* buffer) {
  if (!active()) return system_call(SYS_times, reinterpret_cast<long>(buffer));
  const auto ticks = clock_t(read_clock() / (kSecond / kTicksPerSecond));
  if (buffer) *buffer = {ticks, 0, 0, 0};
  return ticks;
}
INSPECT_EXPORT int getrusage(__rusage_who_t who, struct rusage* usage) noexcept {
  if (!active()) return int(checked(system_call(SYS_getrusage, who, reinterpret_cast<long>(usage))));
  writes_argument(usage, sizeof *usage, INSPECT_CALLER_SITE());
  __builtin_memset(usage, 0, sizeof *usage);
  usage->ru_utime = to_timeval(who == RUSAGE_CHILDREN ? 0 : read_clock());
  return 0;
}

INSPECT_EXPORT int nanosleep(const timespec* duration, timespec* left) {
  if (!active())
    return int(checked(system_call(SYS_nanosleep, reinterpret_cast<long>(duration), reinterpret_cast<long>(left))));
  reads_argument(duration, sizeof *duration, cancellation_point(INSPECT_CALLER_SITE()));
  if (!valid(*duration)) return errno = EINVAL, -1;
  return rest(*duration, left, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* duration, timespec* left) {
  if (!active())
    return int(-system_call(SYS_clock_nanosleep, clock, flags, reinterpret_cast<long>(duration), reinterpret_cast<long>(left)));
  reads_argument(duration, sizeof *duration, cancellation_point(INSPECT_CALLER_SITE()));
  std::uint64_t begin;
  if (!clock_begins(clock, &begin) || !valid(*duration)) return EINVAL;
  const std::uint64_t ns = nanoseconds(*duration);
  if (!(flags & TIMER_ABSTIME)) return sleep_for(ns, left, INSPECT_CALLER_SITE());
  if (ns <= begin || ns - begin <= present_clock()) return 0;
  return sleep_until(ns - begin, INSPECT_CALLER_SITE()) == kSlept ? 0 : EINTR;
}
INSPECT_EXPORT int usleep(useconds_t microseconds) {
  cancellation_point(INSPECT_CALLER_SITE());
  return rest(to_timespec(std::uint64_t(microseconds) * 1000), nullptr, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT unsigned sleep(unsigned seconds) {
  cancellation_point(INSPECT_CALLER_SITE());
  const std::uint32_t site = INSPECT_CALLER_SITE();
  return rest({time_t(seconds), 0}, nullptr, site) < 0 && active() ? seconds - 1 : 0;  // whole ones
}

// Every order of the operations around it is explored anyway.
INSPECT_EXPORT int sched_yield(void) { return 0; }
INSPECT_EXPORT int pthread_yield(void) { return 0; }
INSPECT_EXPORT void thrd_yield(void) {}
INSPECT_EXPORT int thrd_sleep(const timespec* duration, timespec* left) {
  if (!nanosleep(duration, left)) return 0;
  return errno == EINTR ? -1 : -2;
}

// A pending alarm would be a signal at any moment; only taking one back is harmless.
INSPECT_EXPORT unsigned alarm(unsigned seconds) {
  if (!active()) return unsigned(system_call(SYS_alarm, seconds));
  if (seconds) report_unsupported("alarm: signals at a given time are not modelled", INSPECT_CALLER_SITE());
  return 0;
}
INSPECT_EXPORT useconds_t ualarm(useconds_t microseconds, useconds_t) {
  if (active() && microseconds) report_unsupported("ualarm: signals at a given time are not modelled", INSPECT_CALLER_SITE());
  return 0;
}
INSPECT_EXPORT int setitimer(__itimer_which_t which, const itimerval* value, itimerval* old) noexcept {
  if (!active())
    return int(checked(system_call(SYS_setitimer, which, reinterpret_cast<long>(value), reinterpret_cast<long>(old))));
  reads_argument(value, sizeof *value, INSPECT_CALLER_SITE());
  if (value && (value->it_value.tv_sec || value->it_value.tv_usec))
    report_unsupported("setitimer: signals at a given time are not modelled", INSPECT_CALLER_SITE());
  writes_argument(old, sizeof *old, INSPECT_CALLER_SITE());
  if (old) *old = {};
  return 0;
}
INSPECT_EXPORT int getitimer(__itimer_which_t, itimerval* value) noexcept {
  writes_argument(value, sizeof *value, INSPECT_CALLER_SITE());
  *value = {};
  return 0;
}
