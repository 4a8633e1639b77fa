// Inline assembly that may do anything, while there are two threads: not verified, and named.
// expect: verdict=inconclusive assumption="inline assembly that may touch memory at assembly_unknown.c:11"
// expect: case=alone verdict=verified cflags=-DALONE
#include <pthread.h>

static int shared = 5;

static int take(const int* from) {
  int to;
  // A conversion to a float and back: of memory that only an operand's value names.
  __asm__ volatile("cvtsi2ssl (%1), %%xmm0\n\tcvttss2si %%xmm0, %0" : "=r"(to) : "r"(from) : "xmm0", "memory");
  return to;
}

static void* worker(void* argument) {
#ifndef ALONE
  take(&shared);
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  take(&shared);
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  return 0;
}
