// expect: verdict=unsupported reason="asynchronous cancellation inside a call: sem_post"
// expect: case=loader verdict=unsupported reason="asynchronous cancellation inside a call" cflags=-DLOADER
// expect: case=handler verdict=unsupported reason="asynchronous cancellation inside a call: atexit" cflags=-DHANDLER
// Right behind a call that has looked for a request, too, one may come within the next: the semaphore is counted up and its waiter
// not woken, the loader's lock is not given back, nor that of the list of handlers.
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t posted;

#ifdef LOADER
static int look(struct dl_phdr_info* info, size_t size, void* data) {
  (void)info, (void)size, (void)data;
  return 1;
}
#endif
#ifdef HANDLER
static volatile int ended;
static void handle(void) { ended = 1; }
#endif

static void* run(void* argument) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
#ifdef LOADER
  dl_iterate_phdr(look, 0);
#elif defined(HANDLER)
  atexit(handle);
#else
  sem_post(&posted);
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  sem_init(&posted, 0, 0);
  pthread_create(&thread, 0, run, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  return 0;
}
