// Questions about a thread and settings of it. The pthread_attr_* functions of glibc only look at their own object and stay.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/platform/export.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/platform/outside.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/threads/sync.hpp"
#include "runtime/threads/threads.hpp"
#include "runtime/upcalls/reports.hpp"

using namespace inspect::runtime;

namespace {

// Whoever reads or writes a setting of a thread takes a step, once others exist.
void setting_step(inspect_kind kind, const void* setting, std::uint32_t size, std::uint32_t site) {
  if (!active() || state().execution.created <= 1) return;
  visible(operation(kind, setting, size, site));
  executed();
}
void name_step(inspect_kind kind, const Thread& t, std::uint32_t site) { setting_step(kind, t.name, sizeof t.name, site); }
void scheduling_step(inspect_kind kind, const Thread& t, std::uint32_t site) {
  setting_step(kind, &t.scheduling, sizeof t.scheduling, site);
}

long kernel_result(long result) {
  if (result >= 0) return result;
  errno = int(-result);
  return -1;
}

const char* name_of(const Thread& t) { return t.name[0] ? t.name : "program"; }

}  // namespace

namespace inspect::runtime {

// What glibc takes where nothing was asked for depends on a limit of the shell: here it is one size.
Stack stack_of_attributes(const pthread_attr_t* attributes, std::uint32_t site) {
  Stack stack;
  if (!attributes) return stack;
  void* address = nullptr;
  std::size_t size = 0, usual = 0;
  pthread_attr_t defaults;
  if (!pthread_getattr_default_np(&defaults)) pthread_attr_getstacksize(&defaults, &usual);
  if (pthread_attr_getstack(attributes, &address, &size) == 0 && reinterpret_cast<std::uintptr_t>(address) + size != 0) {
    if (state().request.states || state().request.symmetric_pairs)
      report_unsupported("a thread on a stack of the program's own, where states are compared", site);
    stack.address = static_cast<char*>(address);
    stack.size = size;
  } else if (pthread_attr_getstacksize(attributes, &size) == 0 && size != usual) {
    stack.size = size;
  }
  if (stack.size > kMostStackBytes) report_unsupported("a thread with a stack of more than 1 GB", site);
  return stack;
}

}  // namespace inspect::runtime

INSPECT_EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  const Thread& t = used_thread(handle, "pthread_getattr_np", site);
  writes_argument(attributes, sizeof *attributes, site);
  pthread_attr_init(attributes);
  pthread_attr_setdetachstate(attributes, t.detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  if (!active()) return 0;
  const std::size_t page = 4096, size = (t.stack.bytes + page - 1) & ~(page - 1);
  pthread_attr_setguardsize(attributes, t.stack.of_program ? 0 : page);
  if (t.stack.of_program) return pthread_attr_setstack(attributes, t.stack.of_program, t.stack.bytes);
  return pthread_attr_setstack(attributes, reinterpret_cast<void*>(stack_top(t.id) - size), size);
}

INSPECT_EXPORT int pthread_setname_np(pthread_t handle, const char* name) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  Thread& t = used_thread(handle, "pthread_setname_np", site);
  const std::size_t length = strlen(name);
  reads_argument(name, length + 1, site);
  if (length >= sizeof t.name) return ERANGE;
  name_step(INSPECT_OP_AtomicStore, t, site);
  strcpy(t.name, name);
  return 0;
}
INSPECT_EXPORT int pthread_getname_np(pthread_t handle, char* name, std::size_t size) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  const Thread& t = used_thread(handle, "pthread_getname_np", site);
  name_step(INSPECT_OP_AtomicLoad, t, site);
  char text[sizeof t.name];
  strcpy(text, name_of(t));
  if (strlen(text) >= size) return ERANGE;
  writes_argument(name, strlen(text) + 1, site);
  strcpy(name, text);
  return 0;
}

// Of prctl, what is private to the thread.
INSPECT_EXPORT int prctl(int option, ...) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  va_list arguments;
  va_start(arguments, option);
  unsigned long a[4];
  for (unsigned long& argument : a) argument = va_arg(arguments, unsigned long);
  va_end(arguments);
  if (!active()) return int(kernel_result(system_call(SYS_prctl, option, long(a[0]), long(a[1]), long(a[2]), long(a[3]))));
  Thread& t = *state().current;
  if (option == PR_SET_NAME) {
    const auto* const name = reinterpret_cast<const char*>(a[0]);
    const std::size_t length = strnlen(name, sizeof t.name - 1);  // what is longer is cut
    reads_argument(name, length < sizeof t.name - 1 ? length + 1 : length, site);
    name_step(INSPECT_OP_AtomicStore, t, site);
    memset(t.name, 0, sizeof t.name);
    memcpy(t.name, name, length);
    return 0;
  }
  if (option != PR_GET_NAME) report_unsupported(format_message("prctl(%d, …)", option), site);
  name_step(INSPECT_OP_AtomicLoad, t, site);
  auto* const name = reinterpret_cast<char*>(a[0]);
  writes_argument(name, sizeof t.name, site);
  strncpy(name, name_of(t), sizeof t.name);
  return 0;
}

// Which thread runs is the search's choice, whatever priorities say.
INSPECT_EXPORT int pthread_setschedparam(pthread_t handle, int policy, const sched_param* parameters) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  Thread& t = used_thread(handle, "pthread_setschedparam", site);
  reads_argument(parameters, sizeof *parameters, site);
  const int lowest = sched_get_priority_min(policy);
  if (lowest < 0 || parameters->sched_priority < lowest || parameters->sched_priority > sched_get_priority_max(policy))
    return EINVAL;
  scheduling_step(INSPECT_OP_AtomicStore, t, site);
  t.scheduling.policy = policy;
  t.scheduling.priority = parameters->sched_priority;
  return 0;
}
INSPECT_EXPORT int pthread_getschedparam(pthread_t handle, int* policy, sched_param* parameters) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  const Thread& t = used_thread(handle, "pthread_getschedparam", site);
  scheduling_step(INSPECT_OP_AtomicLoad, t, site);
  writes_argument(policy, sizeof *policy, site);
  writes_argument(parameters, sizeof *parameters, site);
  *policy = t.scheduling.policy;
  parameters->sched_priority = t.scheduling.priority;
  return 0;
}
INSPECT_EXPORT int pthread_setschedprio(pthread_t handle, int priority) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  Thread& t = used_thread(handle, "pthread_setschedprio", site);
  scheduling_step(INSPECT_OP_AtomicStore, t, site);
  const int policy = t.scheduling.policy;
  if (priority < sched_get_priority_min(policy) || priority > sched_get_priority_max(policy)) return EINVAL;
  t.scheduling.priority = priority;
  return 0;
}

namespace {

int set_processors(Thread& t, std::size_t size, const cpu_set_t* set, std::uint32_t site) {
  reads_argument(set, size, site);
  std::uint64_t wanted = 0;
  for (std::size_t i = 0; i < size * 8 && i < kProcessors; ++i) wanted |= std::uint64_t(CPU_ISSET_S(i, size, set) != 0) << i;
  if (!wanted) return EINVAL;
  scheduling_step(INSPECT_OP_AtomicStore, t, site);
  t.scheduling.processors = wanted;
  return 0;
}

int get_processors(const Thread& t, std::size_t size, cpu_set_t* set, std::uint32_t site) {
  if (size * 8 < kProcessors) return EINVAL;
  scheduling_step(INSPECT_OP_AtomicLoad, t, site);
  writes_argument(set, size, site);
  memset(set, 0, size);
  const std::uint64_t processors = t.scheduling.processors ? t.scheduling.processors : (1u << kProcessors) - 1;
  for (std::size_t i = 0; i < kProcessors; ++i)
    if (processors >> i & 1) CPU_SET_S(i, size, set);
  return 0;
}

// Kernel numbers of threads: gettid().
Thread& thread_of_number(pid_t number, const char* call, std::uint32_t site) {
  if (!active()) return state().threads[0];
  if (!number) return *state().current;
  const auto index = unsigned(number - getpid());
  if (index >= state().execution.created || state().threads[index].status != ThreadStatus::alive)
    report_unsupported(format_message("%s of another process, or of a thread that has ended", call), site);
  return state().threads[index];
}

int outcome(int error) { return error ? (errno = error, -1) : 0; }

}  // namespace

INSPECT_EXPORT int pthread_getaffinity_np(pthread_t handle, size_t size, cpu_set_t* set) noexcept {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  return get_processors(used_thread(handle, "pthread_getaffinity_np", site), size, set, site);
}
INSPECT_EXPORT int pthread_setaffinity_np(pthread_t handle, size_t size, const cpu_set_t* set) noexcept {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  return set_processors(used_thread(handle, "pthread_setaffinity_np", site), size, set, site);
}
INSPECT_EXPORT int sched_getaffinity(pid_t number, size_t size, cpu_set_t* set) noexcept {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  return outcome(get_processors(thread_of_number(number, "sched_getaffinity", site), size, set, site));
}
INSPECT_EXPORT int sched_setaffinity(pid_t number, size_t size, const cpu_set_t* set) noexcept {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  return outcome(set_processors(thread_of_number(number, "sched_setaffinity", site), size, set, site));
}

INSPECT_EXPORT int pthread_getcpuclockid(pthread_t handle, clockid_t* clock) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  used_thread(handle, "pthread_getcpuclockid", site);
  writes_argument(clock, sizeof *clock, site);
  *clock = CLOCK_THREAD_CPUTIME_ID;
  return 0;
}
