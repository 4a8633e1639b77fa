// A thread takes signals one by one; another one waits in a loop for the first of them to be noticed.
//
// expect: verdict=verified
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int noticed;
static sigset_t both;

static void* take(void* unused) {
  for (int number = 0; number != SIGTERM; noticed++) sigwait(&both, &number);
  return unused;
}

int main(void) {
  pthread_t taker;
  sigemptyset(&both);
  sigaddset(&both, SIGTERM);
  sigaddset(&both, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &both, NULL);
  pthread_create(&taker, NULL, take, NULL);
  kill(getpid(), SIGUSR1);
  while (!noticed) sched_yield();
  kill(getpid(), SIGTERM);
  pthread_join(taker, NULL);
  assert(noticed == 2);
  return 0;
}
