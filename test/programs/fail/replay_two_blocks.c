// Two blocks of one allocation, and one function that counts in both: only one of them is raced for.
// expect: options="--races=report --keep-going" algorithms=dpor,source verdict=bug kind=data-race kinds=assertion,data-race
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static long* shared;

static long* new_counter(void) { return calloc(1, sizeof(long)); }
static void count(long* counter) { ++*counter; }

static void* run(void* unused) {
  count(shared);
  return unused;
}

int main(void) {
  long* own = new_counter();
  shared = new_counter();
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  count(own);
  count(shared);
  count(own);
  pthread_join(other, 0);
  assert(*shared == 2 && *own == 2);
  free(own);
  free(shared);
  return 0;
}
