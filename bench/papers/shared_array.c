// Two threads write the elements of one array in turn, under one lock: sharr of the dissertation's Table 4.1.
#include <pthread.h>

#ifndef N
#define N 12
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int array[2 * N];

static void* even(void* unused) {
  (void)unused;
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&mutex);
    array[2 * i] = i;
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

static void* odd(void* unused) {
  (void)unused;
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&mutex);
    array[2 * i + 1] = i;
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, even, 0);
  pthread_create(&second, 0, odd, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
