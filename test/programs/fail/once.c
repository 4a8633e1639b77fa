// expect: verdict=bug kind=data-race naive
// A homemade once: test and set are two steps.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int done;
static int table;

static void* worker(void* unused) {
  if (!done) {
    table = 42; /* ERROR */
    done = 1;
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
