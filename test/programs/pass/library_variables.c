// expect: verdict=verified algorithms=optimal cflags="-O2 -w -lm"
// What library calls change besides what they name is no race where the library locks, where each thread has its own, or after
// the other thread has ended.
#define _GNU_SOURCE
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char numbers[64];
static char* arguments[] = {"program", "-a", 0};
static volatile double half = -0.5;

static void own_numbers(void) {
  struct drand48_data generator;
  struct random_data other;
  char array[64];
  long first, again;
  int number;
  srand48_r(1, &generator);
  lrand48_r(&generator, &first);
  srand48_r(1, &generator);
  lrand48_r(&generator, &again);
  assert(first == again);
  memset(&other, 0, sizeof other);
  initstate_r(1, array, sizeof array, &other);
  random_r(&other, &number);
}

static void* work(void* unused) {
  time_t when = 86400;
  struct tm day;
  tzset();
  localtime_r(&when, &day);
  mktime(&day);
  own_numbers();
  return unused;
}

static void* work_alone(void* unused) {
  assert(getopt(2, arguments, "a") == 'a');
  random();
  lgamma(half);
  return work(unused);
}

int main(void) {
  pthread_t thread;
  initstate(1, numbers, sizeof numbers);
  pthread_create(&thread, 0, work_alone, 0);
  work(0);
  pthread_join(thread, 0);
  setenv("ADDED", "value", 1);
  assert(optind == 2 && environ[0] && signgam == -1 && !strcmp(getenv("ADDED"), "value"));
  return timezone == 1 && numbers[8] == numbers[9] * 300;
}
