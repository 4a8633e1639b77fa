// An array of variable length: states of its function have no identity.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count[3];

__attribute__((noinline)) static void use(int length, int bit) {
  int array[length];
  array[0] = bit;
  array[length - 1] ^= 1;
  atomic_fetch_xor(&count[0], 1);
  atomic_fetch_xor(&count[1], array[0]);
}

static void* run(void* unused) {
  (void)unused;
  for (int k = 0; k < 4; k++) {
    use(2 + (k & 1), k >> 1);
    atomic_store(&count[0], 0);
    atomic_store(&count[1], 0);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
