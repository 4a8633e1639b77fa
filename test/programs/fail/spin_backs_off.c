// expect: verdict=inconclusive algorithms=source,optimal cflags=-O1 reason="reads the same values again"
// Two threads give their lock back when the other one is taken. Each could go on while the other one has given its lock back, so it
// is no livelock; but there is no end of turns in which both find the other lock taken.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void* worker(void* first) {
  pthread_mutex_t *const own = first, *const other = own == locks ? locks + 1 : locks;
  for (;;) {
    pthread_mutex_lock(own);
    if (!pthread_mutex_trylock(other)) break;
    pthread_mutex_unlock(own);
  }
  pthread_mutex_unlock(other);
  pthread_mutex_unlock(own);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, locks);
  worker(locks + 1);
  pthread_join(thread, NULL);
  return 0;
}
