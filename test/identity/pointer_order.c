// Which of two blocks has the smaller address decides what comes next: addresses count in identities.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int count[3];

static void* run(void* argument) {
  for (int k = 0; k < 4; k++) {
    int *p = malloc(8), *q = malloc(8);
    *p = *q = 0;
    if (k + (long)argument & 1) {
      int* swap = p;
      p = q;
      q = swap;
    }
    atomic_fetch_xor(&count[0], 1);
    if (p < q) atomic_fetch_xor(&count[1], 1);
    atomic_fetch_add(&count[2], *p + *q);
    free(p);
    free(q);
    atomic_store(&count[1], 0);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, run, (void*)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
