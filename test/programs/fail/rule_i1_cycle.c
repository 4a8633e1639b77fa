// expect: verdict=verified algorithms=sdpor,dpor,source
// expect: case=symmetric options=--symmetry algorithms=sdpor verdict=verified
// expect: case=behind cflags=-DBEHIND algorithms=sdpor,dpor,source verdict=bug kind=assertion
// States repeat: a thread changes a variable and changes it back, until another one stops it. A stateful search that took a
// state on its own path for one that was explored would not explore what can happen there instead, and call it verified.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, stop;

static void* toggle(void* unused) {
  (void)unused;
  while (!atomic_load(&stop)) {
    atomic_store(&x, 1);
    atomic_store(&x, 0);
  }
  return 0;
}

static void* look(void* unused) {
  (void)unused;
#ifdef BEHIND
  assert(atomic_load(&x) == 0); /* ERROR */
#endif
  atomic_store(&stop, 1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, toggle, 0);
  pthread_create(&b, 0, look, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
