// expect: verdict=bug kind=data-race naive
// Sleeping longer than the other needs is not synchronisation.
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int result;

static void* worker(void* unused) {
  result = 42; /* ERROR */
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  sleep(1);
  const int seen = result; /* ERROR */
  pthread_join(thread, NULL);
  return seen == 42 ? 0 : 1;
}
