// What the kernel keeps of a process would be there in the next execution too.
// expect: case=limit args=limit verdict=unsupported reason=setrlimit algorithms=source
// expect: case=processor args=processor verdict=unsupported reason=setrlimit algorithms=source
// expect: case=any args=any verdict=unsupported reason=prlimit algorithms=source
// expect: case=nice args=nice verdict=unsupported reason=nice algorithms=source
// expect: case=priority args=priority verdict=unsupported reason=setpriority algorithms=source
// expect: case=policy args=policy verdict=unsupported reason=sched_setscheduler algorithms=source
// expect: case=asked args=asked verdict=verified algorithms=source
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static atomic_int turn;
static const char* what;

static void* other(void* unused) {
  turn++;
  return unused;
}

int main(int count, char** words) {
  what = count > 1 ? words[1] : "asked";
  struct rlimit now, none = {0, 0};
  struct sched_param parameters = {0};
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  if (turn++) {
    if (!strcmp(what, "limit")) setrlimit(RLIMIT_CORE, &none);
    if (!strcmp(what, "processor")) setrlimit(RLIMIT_CPU, &none);
    if (!strcmp(what, "any")) prlimit(0, RLIMIT_AS, &none, NULL);
    if (!strcmp(what, "nice")) nice(3);
    if (!strcmp(what, "priority")) setpriority(PRIO_PROCESS, 0, 4);
    if (!strcmp(what, "policy")) sched_setscheduler(0, SCHED_BATCH, &parameters);
    if (!strcmp(what, "asked")) getrlimit(RLIMIT_CORE, &now);
  }
  pthread_join(thread, NULL);
  return 0;
}
