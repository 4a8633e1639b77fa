// expect: verdict=verified
// expect: case=restarts verdict=verified cflags=-DRESTARTS
// expect: case=read verdict=verified cflags="-DRESTARTS -DREAD"
// A call that a handler has ended is made again; or the handler was installed so that calls go on.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sem_t semaphore;
static int ends[2];

static void handle(int number) {}

static void* run(void* argument) {
#ifdef READ
  char byte;
  assert(read(ends[0], &byte, 1) == 1);
#elif defined RESTARTS
  assert(sem_wait(&semaphore) == 0);
#else
  while (sem_wait(&semaphore)) assert(errno == EINTR);
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  struct sigaction action = {0};
  action.sa_handler = handle;
#ifdef RESTARTS
  action.sa_flags = SA_RESTART;
#endif
  sigaction(SIGUSR1, &action, 0);
  sem_init(&semaphore, 0, 0);
  assert(pipe(ends) == 0);
  pthread_create(&thread, 0, run, 0);
  pthread_kill(thread, SIGUSR1);
#ifdef READ
  assert(write(ends[1], "", 1) == 1);
#else
  sem_post(&semaphore);
#endif
  pthread_join(thread, 0);
  return 0;
}
