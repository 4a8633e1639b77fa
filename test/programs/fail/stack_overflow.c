// expect: verdict=bug kind=crash algorithms=dpor,optimal
// Recursion without end in a second thread.
#include <pthread.h>
#include <stddef.h>

static int descend(volatile int* above) {
  volatile int here[64];
  here[0] = *above + 1;
  return descend(here) + here[0];
}

static void* worker(void* unused) {
  volatile int start = 0;
  return descend(&start) ? unused : NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return 0;
}
