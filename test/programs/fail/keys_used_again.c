// expect: verdict=bug kind=assertion naive
// A table that is kept by the numbers of keys meets the number of a deleted key again, if the other thread is late.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t first;

static void* worker(void* argument) {
  pthread_key_delete(first);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_key_t second;
  pthread_key_create(&first, NULL);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_key_create(&second, NULL);
  assert(second != first); /* ERROR */
  pthread_join(thread, NULL);
}
