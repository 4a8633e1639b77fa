// expect: verdict=bug kind=data-race naive
// A failed trylock tells that someone holds the lock, not what he has written.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void* holder(void* unused) {
  data = 1; /* ERROR */
  pthread_mutex_lock(&mutex);
  return NULL;  // keeps it
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, holder, NULL);
  int seen = 0;
  if (pthread_mutex_trylock(&mutex) != 0) {
    seen = data; /* ERROR */
  } else {
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, NULL);
  return seen == 2;
}
