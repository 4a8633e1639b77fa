// expect: verdict=bug kind=memory-error naive
// The creator frees the request while the worker may still read it.
#include <pthread.h>
#include <stdlib.h>

typedef struct {
  int id, priority;
} request;

static void* worker(void* argument) {
  const request* r = argument;
  return r->priority > 3 ? NULL : argument; /* ERROR */
}

int main(void) {
  request* r = malloc(sizeof *r);
  r->id = 1;
  r->priority = 5;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, r);
  free(r); /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
