// The dissertation's Fig. 4.1 with N = 64: two threads write one variable in their own atomic blocks, in loops, without its
// assertion.
#include <pthread.h>

#ifndef N
#define N 64
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int d;

static void* adds(void* unused) {
  (void)unused;
  for (int i = 0; i < N; i += 5) {
    pthread_mutex_lock(&mutex);
    d += i;
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

static void* subtracts(void* unused) {
  (void)unused;
  for (int j = 0; j < N; j += 2) {
    pthread_mutex_lock(&mutex);
    d -= j;
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, adds, 0);
  pthread_create(&second, 0, subtracts, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
