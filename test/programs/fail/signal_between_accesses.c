// What a handler writes is seen by each access behind it, also by the second one to a place in a row.
//
// expect: verdict=bug kind=assertion algorithms=dpor
// expect: case=fields cflags=-DFIELDS verdict=bug kind=assertion algorithms=dpor
// expect: case=unoptimised cflags=-O0 verdict=bug kind=assertion algorithms=dpor
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile int* shown;
static volatile int seen;

static void handle(int number) {
  (void)number;
  if (shown) seen = *shown;
  if (shown) *shown = 3;
}

static void* run(void* unused) {
#ifdef FIELDS
  static int numbers[2];
  shown = &numbers[0];
  numbers[0] = 1;
  numbers[1] = 2;
  numbers[0] = 2;
  shown = NULL;
  assert(seen != 1); /* ERROR */
#else
  static int number;
  shown = &number;
  number = 1;
  assert(number == 1); /* ERROR */
  shown = NULL;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handle);
  pthread_create(&thread, NULL, run, NULL);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  return 0;
}
