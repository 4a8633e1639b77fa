// expect: verdict=bug kind=data-race naive
// Its address, handed to another thread, makes it shared after all.
#include <pthread.h>
#include <stddef.h>

static _Thread_local int mine;

static void* worker(void* argument) {
  *(int*)argument = 1; /* ERROR */
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, &mine);
  mine = 2; /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
