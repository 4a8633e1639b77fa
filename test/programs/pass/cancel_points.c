// expect: verdict=verified cflags=-DCALL=sem_wait(&semaphore) naive
// expect: case=read verdict=verified cflags=-DCALL=read(ends[0],&byte,1) naive
// expect: case=poll verdict=verified cflags=-DCALL=poll(&polled,1,-1) naive
// expect: case=join verdict=verified cflags=-DCALL=pthread_join(first,0)
// expect: case=sleep verdict=verified cflags=-DCALL=sleep(1)
// expect: case=test verdict=verified cflags=-DCALL=pthread_testcancel()
// expect: case=sigwait verdict=verified cflags=-DCALL=sigwait(&signals,&number)
// A thread that waits at a cancellation point, or comes there again and again, ends when it is cancelled.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static pthread_t first;
static sem_t semaphore;
static int ends[2], number;
static char byte;
static sigset_t signals;

static void* run(void* argument) {
  struct pollfd polled = {.fd = ends[0], .events = POLLIN};
  (void)polled;
  for (;;) CALL;
}

int main(void) {
  pthread_t thread;
  void* result;
  first = pthread_self();
  sem_init(&semaphore, 0, 0);
  assert(pipe(ends) == 0);
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, 0);
  pthread_create(&thread, 0, run, 0);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  return 0;
}
