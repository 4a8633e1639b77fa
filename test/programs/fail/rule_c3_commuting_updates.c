// expect: verdict=bug kind=data-race naive
// Two commuting increments are explored in one order only: that order must not pass for synchronisation.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int count;

static void* writer(void* unused) {
  data = 1; /* ERROR */
  atomic_fetch_add(&count, 1);
  return NULL;
}

static void* reader(void* unused) {
  atomic_fetch_add(&count, 1);
  return data ? unused : NULL; /* ERROR */
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
