// expect: verdict=verified
// expect: case=recursive verdict=verified cflags=-DTYPE="(mtx_timed|mtx_recursive)"
// A timed lock of a C11 mutex that was made for it.
#include <threads.h>
#include <time.h>

#ifndef TYPE
#define TYPE mtx_timed
#endif

static mtx_t mutex;
static int count;

static int worker(void* argument) {
  struct timespec deadline;
  timespec_get(&deadline, TIME_UTC);
  if (mtx_timedlock(&mutex, &deadline) != thrd_success) return argument != NULL;
  ++count;
  mtx_unlock(&mutex);
  return 0;
}

int main(void) {
  mtx_init(&mutex, TYPE);
  thrd_t thread;
  thrd_create(&thread, worker, NULL);
  worker(NULL);
  thrd_join(thread, NULL);
  mtx_destroy(&mutex);
  return count > 2;
}
