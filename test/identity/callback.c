// A function called back by qsort: what qsort has on the stack meanwhile is not known.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int count[2];

static int compare(const void* x, const void* y) {
  atomic_fetch_xor(&count[0], 1);
  return *(const int*)x - *(const int*)y;
}

static void* run(void* unused) {
  (void)unused;
  for (int k = 0; k < 3; k++) {
    int values[4];
    for (int i = 0; i < 4; i++) values[i] = (k * 7 + i * 5) % 3;
    compare(&values[0], &values[1]);
    qsort(values, 4, sizeof *values, compare);
    for (int i = 0; i < 4; i++) values[i] = 0;
    atomic_store(&count[0], 0);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
