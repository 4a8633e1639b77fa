// expect: verdict=bug kind=deadlock
// A flush of all streams takes the lock of each, this one's in the other order.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE* file;

static void* second(void* unused) {
  pthread_mutex_lock(&mutex);
  fflush(NULL);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  file = fopen("/dev/null", "w");
  pthread_t thread;
  pthread_create(&thread, NULL, second, NULL);
  flockfile(file);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  funlockfile(file);
  pthread_join(thread, NULL);
}
