// no race
// Times are measured and printed; all that is shared is used under the lock.
#include <pthread.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void* work(void* argument) {
  struct timespec now;
  struct timeval day;
  clock_gettime(CLOCK_MONOTONIC, &now);
  gettimeofday(&day, 0);
  pthread_mutex_lock(&m);
  if (now.tv_sec < 100) x += (int)time(0) & 1;
  pthread_mutex_unlock(&m);
  printf("%ld %ld\n", (long)clock(), (long)day.tv_usec);
  return argument;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return x < 0;
}
