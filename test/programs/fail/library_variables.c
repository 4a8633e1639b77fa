// Variables and memory of the program that library calls change without naming them, read by another thread meanwhile.
// expect: case=zone args=zone verdict=bug kind=data-race algorithms=source cflags="-O2 -w -lm"
// expect: case=day args=day verdict=bug kind=data-race algorithms=source cflags="-O2 -w -lm"
// expect: case=option args=option verdict=bug kind=data-race algorithms=source cflags="-O2 -w -lm"
// expect: case=sign args=sign verdict=bug kind=data-race algorithms=source cflags="-O2 -w -lm"
// expect: case=environment args=environment verdict=bug kind=data-race algorithms=source cflags="-O2 -w -lm"
// expect: case=entry args=entry verdict=bug kind=data-race algorithms=source cflags="-O2 -w -lm"
// expect: case=look args=look verdict=bug kind=data-race algorithms=source cflags="-O2 -w -lm"
// expect: case=generator args=generator verdict=bug kind=data-race algorithms=source cflags="-O2 -w -lm"
// expect: case=other args=other verdict=bug kind=data-race algorithms=source cflags="-O2 -w -lm"
// expect: case=own args=own verdict=bug kind=data-race algorithms=source cflags="-O2 -w -lm"
// expect: case=names args=names verdict=bug kind=data-race algorithms=source cflags="-O2 -w -lm"
#define _GNU_SOURCE
#include <getopt.h>
#include <glob.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char numbers[64], more_numbers[64], own_numbers[64];
static struct random_data own;
static glob_t names;
static char* arguments[] = {"program", "-a", "-b", 0};
static volatile double half = -0.5;
static const char* what;
static volatile long seen;

static void* call(void* unused) {
  time_t when = 86400;
  struct tm day;
  int number;
  if (!strcmp(what, "zone")) tzset();
  if (!strcmp(what, "day")) localtime_r(&when, &day);
  if (!strcmp(what, "option")) getopt(3, arguments, "ab");
  if (!strcmp(what, "sign")) seen = (long)lgamma(half);
  if (!strcmp(what, "environment")) setenv("ADDED", "value", 1);
  if (!strcmp(what, "entry")) unsetenv("PATH");
  if (!strcmp(what, "look")) getenv("PATH");
  if (!strcmp(what, "generator")) random();
  if (!strcmp(what, "other")) rand();
  if (!strcmp(what, "own")) random_r(&own, &number);
  if (!strcmp(what, "names")) glob("/", 0, 0, &names);
  return unused;
}

int main(int count, char** given) {
  what = count > 1 ? given[1] : "";
  initstate(1, numbers, sizeof numbers);
  initstate(1, more_numbers, sizeof more_numbers);
  if (strcmp(what, "other")) setstate(numbers);
  initstate_r(1, own_numbers, sizeof own_numbers, &own);
  char** const entries = environ;
  pthread_t thread;
  pthread_create(&thread, 0, call, 0);
  if (!strcmp(what, "zone")) seen = timezone;
  if (!strcmp(what, "day")) seen = tzname[0] != 0;
  if (!strcmp(what, "option")) seen = optind;
  if (!strcmp(what, "sign")) seen = signgam;
  if (!strcmp(what, "environment")) seen = environ != 0;
  if (!strcmp(what, "entry")) seen = entries[0] != 0;
  if (!strcmp(what, "look")) environ = entries;
  if (!strcmp(what, "generator")) seen = numbers[8];
  if (!strcmp(what, "other")) seen = more_numbers[8];
  if (!strcmp(what, "own")) seen = own_numbers[8];
  if (!strcmp(what, "names")) seen = (long)names.gl_pathc;
  pthread_join(thread, 0);
}
