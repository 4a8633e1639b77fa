// The dissertation's Fig. 5.1: whether the second thread reaches an access without the right lock depends on which of the two
// comes first. ROUNDS: how often each thread does all that; BUG 0: the access has the right lock.
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef BUG
#define BUG 1
#endif

static pthread_mutex_t f1 = PTHREAD_MUTEX_INITIALIZER, f2 = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;

static void* first(void* unused) {
  (void)unused;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&f1);
    x++;
    pthread_mutex_unlock(&f1);
    pthread_mutex_lock(&f2);
    y++;
    pthread_mutex_unlock(&f2);
    pthread_mutex_lock(&f1);
    z++;
    pthread_mutex_unlock(&f1);
  }
  return 0;
}

static void* second(void* unused) {
  (void)unused;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&f1);
    pthread_mutex_lock(&f2);
    z++;
    const int c = x;
    pthread_mutex_unlock(&f2);
    pthread_mutex_unlock(&f1);
    pthread_mutex_t* const lock = BUG ? &f1 : &f2;
    pthread_mutex_lock(lock);
    if (c == 0) y++;
    pthread_mutex_unlock(lock);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
