// expect: verdict=verified naive
// Each thread has its own value under a key; the destructor runs for each that is set, before the join returns.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void* value) {
  atomic_fetch_add(&destroyed, *(int*)value);
  free(value);
}

static void* worker(void* argument) {
  assert(pthread_getspecific(key) == NULL);
  int* mine = malloc(sizeof *mine);
  *mine = (int)(long)argument;
  pthread_setspecific(key, mine);
  assert(pthread_getspecific(key) == mine);
  return NULL;
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, (void*)1);
  pthread_create(&b, NULL, worker, (void*)2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(destroyed == 3);
  pthread_key_delete(key);
  return 0;
}
