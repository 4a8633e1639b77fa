// expect: verdict=bug kind=livelock
// A plain spin on a flag that nobody sets.
#include <pthread.h>
#include <stddef.h>

static volatile int flag;

static void* worker(void* unused) {
  while (!flag) {
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return 0;
}
