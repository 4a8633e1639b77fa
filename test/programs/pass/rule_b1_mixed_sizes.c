// expect: verdict=verified naive executions(optimal)=1
// Atomic stores to different bytes of one word do not conflict.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic unsigned char bytes[4];

static void* writer(void* argument) {
  bytes[(long)argument] = 1;
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, writer, (void*)i);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
