// expect: verdict=bug kind=deadlock
// perror takes the lock of stderr: here in the other order.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* second(void* unused) {
  pthread_mutex_lock(&mutex);
  perror("second");
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, second, NULL);
  flockfile(stderr);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  funlockfile(stderr);
  pthread_join(thread, NULL);
}
