// expect: verdict=bug kind=exit-status
// What main returns is judged where main stands, though the library writes what is left in buffers later.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* counter(void* unused) {
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) { /* ERROR */
  pthread_t thread;
  pthread_create(&thread, NULL, counter, NULL);
  pthread_mutex_lock(&mutex);
  const int seen = count;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  printf("%d\n", seen);
  return seen;
}
