// expect: verdict=verified
// Whoever only asks for a stream's descriptor, or what its buffer holds, does not wait for the stream's lock.
#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE* file;

static void* second(void* unused) {
  pthread_mutex_lock(&mutex);
  fileno(file);
  __fpending(file);
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
