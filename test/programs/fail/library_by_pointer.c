// expect: verdict=bug kind=data-race cflags=-DCALL=prints
// expect: case=scan verdict=bug kind=data-race cflags=-DCALL=scans
// expect: case=argument verdict=bug kind=data-race cflags=-DCALL=shows
// expect: case=number verdict=bug kind=data-race cflags=-DCALL=counts
// What a function of the library touches that is called through a pointer.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char text[8] = "12";
static int number;

static int (*volatile print)(char*, size_t, const char*, ...) = snprintf;
static int (*volatile scan)(const char*, const char*, ...) = sscanf;
static int (*volatile show)(const char*, ...) = printf;
static int (*volatile count)(const char*) = atoi;

static void prints(void) { print(text, sizeof text, "%d", 34); }
static void scans(void) { scan("3", "%d", &number); }
static void shows(void) { show("%d %s", 1, text); }
static void counts(void) { count(text); }

static void* worker(void* unused) {
  CALL();
  return unused;
}

int main(void) {
  void (*const all[])(void) = {prints, scans, shows, counts};
  (void)all;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  text[1] = '5';
  number = 1;
  pthread_join(thread, NULL);
}
