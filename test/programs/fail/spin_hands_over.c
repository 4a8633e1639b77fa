// expect: verdict=inconclusive|bug kind=livelock algorithms=source,optimal
// expect: case=waiter_first verdict=inconclusive|bug kind=livelock algorithms=source,optimal cflags=-DWAITER_FIRST
// expect: case=reader verdict=bug kind=livelock cflags=-DREADER
// expect: case=reader_first verdict=bug kind=livelock cflags='-DREADER -DWAITER_FIRST'
// Two threads wait for what neither changes. One of them begins its turns with the lock held, and gives it away for a moment in each:
// so the other one can always have it, but that is of no use to it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;
static atomic_int request;

static void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!flag) { /* ERROR */
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}

#ifdef READER
static void* other(void* unused) {
  while (!atomic_load(&request)) { /* ERROR */
    pthread_mutex_lock(&mutex);
    const int seen = flag;
    pthread_mutex_unlock(&mutex);
    if (seen) break;
  }
  return unused;
}
#else
static void* other(void* unused) { return waiter(unused); }
#endif

int main(void) {
  pthread_t thread;
#ifdef WAITER_FIRST
  pthread_create(&thread, NULL, other, NULL);
  waiter(NULL);
#else
  pthread_create(&thread, NULL, waiter, NULL);
  other(NULL);
#endif
  pthread_join(thread, NULL);
  return 0;
}
