// expect: verdict=bug|inconclusive|unsupported kind=data-race
// A library function touches shared memory on the thread's behalf: qsort moves elements that the other thread reads.
#include <pthread.h>
#include <stdlib.h>

static int values[4] = {4, 3, 2, 1};

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void* sorter(void* unused) {
  qsort(values, 4, sizeof *values, compare);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, sorter, NULL);
  const int first = values[0];
  pthread_join(thread, NULL);
  return first > 4;
}
