// expect: verdict=bug kind=memory-error naive
// The value under the key outlives its thread in the list, but not in the heap: the destructor has freed it.
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int* published;

static void* worker(void* unused) {
  int* mine = malloc(sizeof *mine);
  *mine = 1;
  pthread_setspecific(key, mine);
  published = mine;
  return NULL;
}

int main(void) {
  pthread_key_create(&key, free);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return *published - 1; /* ERROR */
}
