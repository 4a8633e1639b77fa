// expect: verdict=verified options=--expect-exit=any naive executions(optimal)=2
// expect: case=three verdict=verified options=--expect-exit=3 cflags=-DALWAYS=3
// The exit status is what the option says it may be.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value;

static void* set(void* argument) {
  atomic_store(&value, (int)(long)argument);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, set, (void*)1);
  pthread_create(&b, NULL, set, (void*)2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#ifdef ALWAYS
  return ALWAYS;
#else
  return value == 2 ? 0 : 3;
#endif
}
