// expect: verdict=verified
// Computing for long is not hanging.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint result;

static void* compute(void* unused) {
  unsigned state = 1;
  for (int i = 0; i < 20000000; i++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
  }
  result = state;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, compute, NULL);
  const unsigned early = result;
  pthread_join(thread, NULL);
  return early == 12345;
}
