// Two threads with two stores and two loads each, and TURNS turns of arithmetic in front of each of them.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef TURNS
#define TURNS 20000
#endif
static atomic_uint x, y;

static unsigned work(unsigned seed) {
  for (int i = 0; i < TURNS; i++) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
  }
  return seed;
}

static void* exchange(atomic_uint* own, atomic_uint* other, unsigned seed) {
  for (int i = 0; i < 2; i++) {
    seed = work(seed);
    atomic_store(own, seed);
    seed = work(seed);
    seed += atomic_load(other);
  }
  return (void*)(uintptr_t)seed;
}

static void* left(void* unused) { return exchange(&x, &y, 1); }
static void* right(void* unused) { return exchange(&y, &x, 2); }

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
