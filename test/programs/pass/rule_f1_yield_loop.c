// expect: verdict=verified tier=slow
// Polling with sched_yield and short sleeps.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int ready;

static void* polls(void* unused) {
  while (!ready) sched_yield();
  return NULL;
}

static void* sleeps(void* unused) {
  while (!ready) usleep(10);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, polls, NULL);
  pthread_create(&b, NULL, sleeps, NULL);
  ready = 1;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
