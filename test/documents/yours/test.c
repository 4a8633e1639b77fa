// What goes in comes out: `test --threads N`, of which one takes what the others put.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "queue.h"

static void* puts_one(void* unused) {
  (void)unused;
  put(1);
  return NULL;
}

int main(int argc, char** argv) {
  const int threads = argc > 2 ? atoi(argv[2]) : 2;
  pthread_t t[8];
  int sum = 0;
  for (int i = 1; i < threads; i++) pthread_create(&t[i], NULL, puts_one, NULL);
  for (int i = 1; i < threads; i++) sum += get();
  for (int i = 1; i < threads; i++) pthread_join(t[i], NULL);
  assert(sum == threads - 1);
}
