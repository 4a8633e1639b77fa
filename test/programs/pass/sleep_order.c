// expect: verdict=verified naive
// Sleeping costs no time here and changes nothing: the join orders.
#include <pthread.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static int result;

static void* worker(void* unused) {
  usleep(1000);
  result = 42;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  sleep(1000000);
  nanosleep(&(struct timespec){.tv_sec = 1000}, NULL);
  pthread_join(thread, NULL);
  return result == 42 ? 0 : 1;
}
