// expect: verdict=verified naive executions(optimal)=1
// expect: case=used verdict=verified cflags=-DUSED executions(optimal)=6
// expect: case=exchange verdict=verified cflags=-DEXCHANGE executions(optimal)=6
// Updates by one commuting operator whose results nobody reads are independent; with the result read, or exchanges, they are
// not.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value;

static void* worker(void* argument) {
#if defined USED
  return atomic_fetch_add(&value, 1) == 100 ? argument : NULL;
#elif defined EXCHANGE
  (void)atomic_exchange(&value, (int)(long)argument);
  return NULL;
#else
  if ((long)argument == 1) {
    atomic_fetch_sub(&value, 2);
  } else {
    atomic_fetch_add(&value, 1);
  }
  return NULL;
#endif
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, (void*)i);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
