// expect: verdict=bug kind=data-race naive
// Initialised while only one thread knew the object: the record of that write must survive until another thread arrives.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
  int value;
} object;

static _Atomic(object*) published;

static void* reader(void* unused) {
  object* o = atomic_load_explicit(&published, memory_order_relaxed);
  if (o != NULL) {
    return o->value ? NULL : unused; /* ERROR */
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  object* o = malloc(sizeof *o);
  o->value = 1; /* ERROR */
  atomic_store_explicit(&published, o, memory_order_relaxed);
  pthread_join(thread, NULL);
  return 0;
}
