// expect: verdict=verified naive
// Blocks that reach another thread in order: by release and acquire, under a lock, by creation and join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int*) published;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int* guarded;

static void* worker(void* given) {
  int sum = *(int*)given;
  int* const p = atomic_load_explicit(&published, memory_order_acquire);
  if (p) {
    sum += p[1];
    free(p);
  }
  pthread_mutex_lock(&mutex);
  if (guarded) {
    guarded = realloc(guarded, 100 * sizeof *guarded);
    guarded[3] = sum;
  }
  pthread_mutex_unlock(&mutex);
  return calloc(4, 4);
}

int main(void) {
  pthread_t thread;
  int* const given = calloc(1, sizeof *given);
  pthread_create(&thread, NULL, worker, given);
  atomic_store_explicit(&published, (int*)calloc(2, sizeof(int)), memory_order_release);
  pthread_mutex_lock(&mutex);
  guarded = calloc(4, sizeof *guarded);
  pthread_mutex_unlock(&mutex);
  int* result;
  pthread_join(thread, (void**)&result);
  guarded[3] += result[2];
  guarded = realloc(guarded, 8);
  return guarded[1];
}
