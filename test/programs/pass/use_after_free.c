// expect: verdict=verified naive executions(optimal)=1
// Joined before it is freed.
#include <pthread.h>
#include <stdlib.h>

typedef struct {
  int id, priority;
} request;

static void* worker(void* argument) {
  const request* r = argument;
  return r->priority > 3 ? NULL : argument;
}

int main(void) {
  request* r = malloc(sizeof *r);
  r->id = 1;
  r->priority = 5;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, r);
  pthread_join(thread, NULL);
  free(r);
  return 0;
}
