// expect: verdict=verified naive executions(optimal)=2
// Published with release, read with acquire.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
  int value;
} object;

static _Atomic(object*) published;

static void* reader(void* unused) {
  object* o = atomic_load_explicit(&published, memory_order_acquire);
  if (o != NULL) return o->value ? NULL : unused;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  object* o = malloc(sizeof *o);
  o->value = 1;
  atomic_store_explicit(&published, o, memory_order_release);
  pthread_join(thread, NULL);
  return 0;
}
