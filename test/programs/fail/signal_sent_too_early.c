// expect: verdict=unsupported reason="waits for something outside" naive
// expect: case=masked verdict=unsupported reason="waits for something outside" cflags=-DMASKED
// expect: case=two verdict=unsupported reason="waits for something outside" cflags=-DTWO naive
// expect: case=other verdict=unsupported cflags='-DTWO -DOTHER' algorithms=source
// A signal that comes before the wait for it is handled and gone: only the outside could send another one. Of two threads that wait for one signal,
// one waits for ever. Whoever waits for a signal that the program does not send (OTHER) waits for somebody else.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int seen;

static void handle(int number) { seen = number; }

static void* waiter(void* unused) {
#ifdef TWO
  sigset_t set;
  int number;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
#ifdef OTHER
  sigaddset(&set, SIGINT);
#endif
  sigwait(&set, &number);
#elif defined MASKED
  sigset_t set;
  sigfillset(&set);
  sigdelset(&set, SIGUSR1);
  while (!seen) sigsuspend(&set);
#else
  while (!seen) pause();
#endif
  return unused;
}

int main(void) {
  pthread_t threads[2];
  signal(SIGUSR1, handle);
#ifdef TWO
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&threads[1], NULL, waiter, NULL);
#endif
  pthread_create(&threads[0], NULL, waiter, NULL);
#ifdef TWO
  kill(getpid(), SIGUSR1);
  pthread_join(threads[1], NULL);
#else
  pthread_kill(threads[0], SIGUSR1);
#endif
  pthread_join(threads[0], NULL);
  return 0;
}
