// expect: verdict=verified executions(optimal)=8 executions(dpor)=8
// expect: case=thirteen verdict=verified cflags=-DN=13 executions(optimal)=64
// expect: case=eleven verdict=verified algorithms=optimal cflags=-DN=11 executions(optimal)=1
// expect: case=fourteen verdict=verified algorithms=optimal cflags=-DN=14 executions(optimal)=512
// expect: case=permuted verdict=verified algorithms=optimal cflags='-DN=14 -DLAST_FIRST' executions(optimal)=512
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
#ifdef LAST_FIRST
  for (long i = N; i-- > 0;) pthread_create(&threads[i], NULL, insert, (void*)i);
#else
  for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, insert, (void*)i);
#endif
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  return 0;
}
