// Questions about a thread and settings of it. The pthread_attr_* functions of glibc only look at their own object and stay.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "runtime/export.hpp"
#include "runtime/fiber.hpp"
#include "runtime/sync.hpp"
#include "runtime/threads.hpp"

using namespace inspect::runtime;

namespace {

// Before main there is thread 0 alone.
Thread* known(pthread_t handle) { return active() ? thread_of(handle) : &state().threads[0]; }

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
  if (pthread_attr_getstack(attributes, &address, &size) == 0 && static_cast<char*>(address) + size != nullptr) {
    if (state().states || state().twins)
      report_unsupported("a thread on a stack of the program's own, where states are compared", site);
    stack.address = static_cast<char*>(address);
    stack.size = size;
    return stack;
  }
  if (pthread_attr_getstacksize(attributes, &size) == 0 && size != usual) stack.size = size;
  if (stack.size > kMostStackBytes) report_unsupported("a thread with a stack of more than 1 GB", site);
  return stack;
}

}  // namespace inspect::runtime

INSPECT_EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) {
  const Thread* const t = known(handle);
  if (!t) return ESRCH;
  pthread_attr_init(attributes);
  pthread_attr_setdetachstate(attributes, t->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  if (!active()) return 0;
  const std::size_t page = 4096, size = (t->stack_bytes + page - 1) & ~(page - 1);
  pthread_attr_setguardsize(attributes, t->program_stack ? 0 : page);
  if (t->program_stack) return pthread_attr_setstack(attributes, t->program_stack, t->stack_bytes);
  return pthread_attr_setstack(attributes, reinterpret_cast<void*>(stack_top(t->id) - size), size);
}

INSPECT_EXPORT int pthread_setname_np(pthread_t handle, const char* name) {
  Thread* const t = known(handle);
  if (!t) return ESRCH;
  if (strlen(name) >= sizeof t->name) return ERANGE;
  strcpy(t->name, name);
  return 0;
}
INSPECT_EXPORT int pthread_getname_np(pthread_t handle, char* name, std::size_t size) {
  const Thread* const t = known(handle);
  if (!t) return ESRCH;
  const char* const text = t->name[0] ? t->name : "program";
  if (strlen(text) >= size) return ERANGE;
  strcpy(name, text);
  return 0;
}

// Which thread runs is the search's choice, whatever priorities say.
INSPECT_EXPORT int pthread_setschedparam(pthread_t handle, int policy, const sched_param* parameters) {
  if (!known(handle)) return ESRCH;
  const int lowest = sched_get_priority_min(policy);
  if (lowest < 0 || parameters->sched_priority < lowest || parameters->sched_priority > sched_get_priority_max(policy))
    return EINVAL;
  return 0;
}
INSPECT_EXPORT int pthread_getschedparam(pthread_t handle, int* policy, sched_param* parameters) {
  if (!known(handle)) return ESRCH;
  *policy = SCHED_OTHER;
  parameters->sched_priority = 0;
  return 0;
}
INSPECT_EXPORT int pthread_setschedprio(pthread_t handle, int) { return known(handle) ? 0 : ESRCH; }

INSPECT_EXPORT int pthread_getcpuclockid(pthread_t handle, clockid_t* clock) {
  if (!known(handle)) return ESRCH;
  *clock = CLOCK_THREAD_CPUTIME_ID;
  return 0;
}
