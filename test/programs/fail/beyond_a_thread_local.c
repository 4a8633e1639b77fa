// An index that another thread sets lies behind a thread's own array.
//
// expect: verdict=bug kind=memory-error
// expect: case=optimised cflags=-O2 verdict=bug kind=memory-error algorithms=dpor
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Thread_local int own[4];
static atomic_int index_of = 3;

static void* worker(void* unused) {
  own[atomic_load(&index_of)] = 1; /* ERROR */
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  atomic_store(&index_of, 4);
  pthread_join(thread, NULL);
}
