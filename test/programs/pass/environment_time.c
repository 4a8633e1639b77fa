// expect: verdict=verified assumption=clock
// Sleeping takes no time but moves the clock; clocks agree with each other.
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static struct timespec begin;

static void* sleeper(void* unused) {
  struct timespec now;
  sleep(3600);
  usleep(500000);
  clock_gettime(CLOCK_MONOTONIC, &now);
  assert(now.tv_sec - begin.tv_sec >= 3600);
  return unused;
}

int main(void) {
  struct timespec real, later;
  struct timeval day;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  pthread_t thread;
  pthread_create(&thread, NULL, sleeper, NULL);
  pthread_join(thread, NULL);
  clock_gettime(CLOCK_MONOTONIC, &later);
  assert(later.tv_sec - begin.tv_sec >= 3600);
  clock_gettime(CLOCK_REALTIME, &real);
  gettimeofday(&day, NULL);
  assert(day.tv_sec - real.tv_sec <= 1 && time(NULL) - real.tv_sec <= 1);
  const struct timespec until = {later.tv_sec + 10, 0};
  assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
  clock_gettime(CLOCK_MONOTONIC, &later);
  assert(later.tv_sec == until.tv_sec);
  return 0;
}
