// expect: verdict=verified
// One thread prints while it holds a mutex; another has locked standard output, and takes no mutex meanwhile.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* print(void* unused) {
  pthread_mutex_lock(&mutex);
  puts("text");
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, print, NULL);
  flockfile(stdout);
  funlockfile(stdout);
  pthread_join(thread, NULL);
  return 0;
}
