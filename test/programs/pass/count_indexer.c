// expect: verdict=verified executions(optimal)=8 executions(dpor)=8
// expect: case=thirteen verdict=verified cflags=-DN=13 executions(optimal)=64
// The indexer of Flanagan and Godefroid: threads insert into a shared hash table; collisions begin with the twelfth.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 12
#endif
enum { SIZE = 128, MAX = 4 };
static atomic_int table[SIZE];

static void* insert(void* argument) {
  const int id = (int)(long)argument;
  for (int m = 1; m <= MAX; m++) {
    const int word = m * 11 + id;
    int slot = (word * 7) % SIZE;
    for (;;) {
      int empty = 0;
      if (atomic_compare_exchange_strong(&table[slot], &empty, word)) break;
      slot = (slot + 1) % SIZE;
    }
  }
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, insert, (void*)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  return 0;
}
