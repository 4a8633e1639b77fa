// What an earlier call left on the stack, where a variable will come to be that does not exist yet: no part of the state. The
// variable is declared behind the first operation of its function, so that nothing has filled it there; it is large, so that
// what the runtime calls meanwhile leaves its lower end alone.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count, flag;

__attribute__((noinline)) static void leave(int seen) {
  atomic_store(&count, 1);
  int values[4096];
  for (int i = 0; i < 8; i++) ((volatile int*)values)[i] = seen;
  atomic_store(&count, values[count] & 2);
}

static void* raise(void* unused) {
  for (int k = 0; k < 3; k++) atomic_store(&flag, 1);
  return unused;
}

static void* run(void* unused) {
  for (int k = 0; k < 4; k++) {
    const int seen = atomic_load(&flag);
    atomic_store(&flag, 0);
    leave(seen);
    atomic_store(&count, 0);
  }
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, raise, 0);
  pthread_create(&t[1], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
