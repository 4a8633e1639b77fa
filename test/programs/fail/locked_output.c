// expect: verdict=bug kind=deadlock algorithms=optimal,dpor
// One thread prints while it holds a mutex; another takes the mutex while it has locked standard output.
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
#ifndef ORDERED
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
#endif
  funlockfile(stdout);
  pthread_join(thread, NULL);
  return 0;
}
