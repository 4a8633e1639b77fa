// expect: verdict=bug kind=assertion naive
// An exit does not end the execution for the others: the assertion is reached in every schedule.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x, y;

static void* leaver(void* unused) {
  if (x == 0) _exit(0);
  return NULL;
}

static void* worker(void* unused) {
  y = 1;
  x = 1;
  assert(0); /* ERROR */
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, leaver, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
