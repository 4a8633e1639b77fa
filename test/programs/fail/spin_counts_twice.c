// expect: verdict=inconclusive algorithms=source,optimal,dpor reason="read-modify-write at spin_counts_twice.c:15"
// expect: case=never verdict=inconclusive|bug kind=livelock algorithms=source cflags=-DNEVER
// A waiting thread counts its turns for itself and for others. No two of its turns are alike, and each number of them is another
// execution: the search ends all the same, and names the loop.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static atomic_long all_turns;

static void* waiter(void* unused) {
  long turns = 0;
  while (!atomic_load(&flag)) {
    atomic_fetch_add(&all_turns, 1);
    ++turns;
  }
  return turns < 0 ? NULL : unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
#ifndef NEVER
  atomic_store(&flag, 1);
#endif
  pthread_join(thread, NULL);
  return 0;
}
