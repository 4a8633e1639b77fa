// expect: verdict=verified naive
// The routine runs once, and all who call pthread_once see what it wrote.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table, runs;

static void initialise(void) {
  table = 42;
  runs++;
}

static void* worker(void* unused) {
  pthread_once(&once, initialise);
  assert(table == 42);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(runs == 1);
  return 0;
}
