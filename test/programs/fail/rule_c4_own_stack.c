// expect: verdict=bug kind=data-race naive
// An access to one's own stack counts as soon as the address has escaped.
#include <pthread.h>
#include <stddef.h>

static void* worker(void* argument) {
  (*(int*)argument)++; /* ERROR */
  return NULL;
}

int main(void) {
  int x = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, &x);
  x++; /* ERROR */
  pthread_join(thread, NULL);
  return x == 7;
}
