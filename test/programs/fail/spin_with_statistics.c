// expect: verdict=inconclusive algorithms=source,optimal reason="read-modify-write at spin_with_statistics.c:27"
// expect: case=locked verdict=inconclusive algorithms=source,optimal cflags=-DLOCKED reason="write at spin_with_statistics.c:24"
// expect: case=own verdict=inconclusive algorithms=source,optimal cflags=-DOWN reason="write at spin_with_statistics.c:20"
// A thread that waits counts its turns, for others to see: each number of turns is another state. The search ends all the same,
// and says what is counted, and where.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static atomic_long turns;
static long locked_turns;
static _Thread_local long own_turns;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* waiter(void* unused) {
  while (!atomic_load(&flag)) {
#ifdef OWN
    // Nobody else looks, but the thread could.
    own_turns++;
#elif defined LOCKED
    pthread_mutex_lock(&mutex);
    // Under the lock.
    locked_turns++;
    pthread_mutex_unlock(&mutex);
#else
    atomic_fetch_add(&turns, 1);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  atomic_store(&flag, 1);
  pthread_join(thread, NULL);
  return locked_turns + own_turns < 0;
}
