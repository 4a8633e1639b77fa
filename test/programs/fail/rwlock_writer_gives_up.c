// expect: verdict=bug kind=assertion naive
// A writer that is preferred gives up waiting: it holds nothing then, and what it does next is not excluded by the lock.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
static pthread_rwlock_t w = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static atomic_int x, out;
static const struct timespec past = {1, 0};
static int missed;
static void* one(void* unused) {
  if (!pthread_rwlock_timedwrlock(&w, &past)) { pthread_rwlock_unlock(&w); return NULL; }
  missed = 1;
  atomic_store(&x, 1);
  return NULL;
}
static int r = 2;
static void* two(void* unused) {
  pthread_rwlock_wrlock(&w);
  r = atomic_load(&x);
  pthread_rwlock_unlock(&w);
  return NULL;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!(missed && r == 1)); /* ERROR */
  return 0;
}
