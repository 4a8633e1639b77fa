// expect: verdict=bug kind=assertion
// expect: case=later verdict=bug kind=assertion cflags=-DLATER
// A turn of a loop sets a bit and clears it again: that has changed nothing if the bit was clear before. Another thread sets it as
// well, and the two commute; but who comes second has its bit cleared, though nobody looked in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint done, bits;

static void* waiter(void* unused) {
  unsigned cleared = 0;
  while (!atomic_load(&done) && cleared < 2)
    if (!atomic_load(&bits)) {
      atomic_fetch_or(&bits, 1);
      cleared = atomic_fetch_and(&bits, ~1u);
    }
  return unused;
}

static void* setter(void* unused) {
  atomic_fetch_or(&bits, 1);
  atomic_store(&done, 1);
  return unused;
}

int main(void) {
  pthread_t first, second;
#ifdef LATER
  pthread_create(&first, NULL, setter, NULL);
  pthread_create(&second, NULL, waiter, NULL);
#else
  pthread_create(&first, NULL, waiter, NULL);
  pthread_create(&second, NULL, setter, NULL);
#endif
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(atomic_load(&bits) == 1); /* ERROR */
  return 0;
}
