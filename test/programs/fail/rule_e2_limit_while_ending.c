// expect: verdict=inconclusive options=--max-steps=300 reason=step
// main has returned, but a thread that never stops keeps the execution going: what lies beyond the limit is not known.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint ticks;

static void* ticker(void* unused) {
  for (;;) ticks++;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, ticker, NULL);
  return 0;
}
