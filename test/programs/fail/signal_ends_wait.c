// expect: verdict=bug kind=assertion
// expect: case=sleep verdict=bug kind=assertion cflags=-DSLEEP
// expect: case=read verdict=unsupported reason="EINTR" cflags=-DREAD
// A handler that was not installed to let calls go on ends them.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sem_t semaphore;
static int ends[2];

static void handle(int number) {}

static void* run(void* argument) {
#ifdef SLEEP
  assert(sleep(10) == 0); /* ERROR */
#elif defined READ
  char byte;
  assert(read(ends[0], &byte, 1) == 1);
#else
  assert(sem_wait(&semaphore) == 0); /* ERROR */
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  struct sigaction action = {0};
  action.sa_handler = handle;
  sigaction(SIGUSR1, &action, 0);
  sem_init(&semaphore, 0, 0);
  assert(pipe(ends) == 0);
  pthread_create(&thread, 0, run, 0);
  pthread_kill(thread, SIGUSR1);
  sem_post(&semaphore);
  assert(write(ends[1], "", 1) == 1);
  pthread_join(thread, 0);
  return 0;
}
