// expect: verdict=verified algorithms=source,optimal
// expect: case=sleeps verdict=verified algorithms=source,optimal cflags=-DSLEEPS executions(source)=36 executions(optimal)=36
// expect: case=jumps verdict=verified algorithms=source,optimal cflags='-O1 -DSLEEPS -DJUMPS' executions(source)=16 executions(optimal)=16
// Waiting threads make a pause that grows up to a bound. From there on their turns are in vain.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int flag;
static int value;

static void make_pause(unsigned length) {
#ifdef SLEEPS
  usleep(length);
#else
  for (volatile unsigned i = 0; i < length; ++i) {
  }
#endif
}

static void* waiter(void* unused) {
  unsigned length = 1;
#ifdef JUMPS
again:
  if (!atomic_load(&flag)) {
    make_pause(length);
    if (length < 8) length *= 2;
    goto again;
  }
#else
  while (!atomic_load(&flag)) {
    make_pause(length);
    if (length < 1024) length *= 4;
  }
#endif
  assert(value == 1);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, waiter, NULL);
  pthread_create(&second, NULL, waiter, NULL);
  value = 1;
  atomic_store(&flag, 1);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
