// expect: verdict=verified naive executions(optimal)=1
// A thread-local variable is not shared, even without a lock.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static _Thread_local int mine = 5;

static void* worker(void* argument) {
  mine += (int)(long)argument;
  assert(mine == 5 + (int)(long)argument);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, (void*)1);
  pthread_create(&b, NULL, worker, (void*)2);
  mine = 9;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return mine == 9 ? 0 : 1;
}
