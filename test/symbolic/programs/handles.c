// expect: verdict=verified
// expect: cflags=-DORDER verdict=unsupported text="handles.c:63: a handle of a thread taken for a number (compare handles by pthread_equal"
// expect: cflags=-DREMAINDER verdict=unsupported text="handles.c:65: a handle of a thread taken for a number"
// expect: cflags=-DSMALL verdict=unsupported text="handles.c:67: a handle of a thread taken for a number"
// expect: cflags=-DINDEX verdict=unsupported text="handles.c:69: a handle of a thread taken for a number"
// expect: cflags=-DNARROW verdict=unsupported text="handles.c:71: a handle of a thread taken for a number"
// expect: cflags=-DCASES verdict=unsupported text="handles.c:73: a handle of a thread taken for a number"
// expect: cflags=-DSUM verdict=unsupported text="handles.c:77: a handle of a thread taken for a number"
// expect: cflags=-DNUMBER verdict=unsupported text="handles.c:79: a handle of a thread compared with what is none"
// expect: cflags=-DREUSED verdict=unsupported text="handles.c:83: a comparison with the handle of a thread that is gone"
// expect: cflags=-DSWAPPED verdict=bug text="assertion failed at handles.c:85"
// Handles of threads are passed on, stored and compared; what number one is must not matter.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
struct entry {
  int used;
  pthread_t thread;
};
struct entry entries[2];
pthread_t main_thread, own[2];
_Atomic pthread_t first;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int results[4];
static void *run(void *number) {
  int n = (int)(long)number;
  pthread_mutex_lock(&lock);
  own[n] = pthread_self();
  pthread_mutex_unlock(&lock);
  assert(!pthread_equal(pthread_self(), main_thread));
  pthread_t none = 0;
  atomic_compare_exchange_strong(&first, &none, pthread_self());
  return 0;
}
static void *join(void *handle) {
  pthread_join((pthread_t)handle, 0);
  return 0;
}
int main(void) {
  pthread_t other = 0, joiner;
  main_thread = pthread_self();
  for (long i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    pthread_create(&entries[i].thread, 0, run, (void *)i);
    entries[i].used = 1;
    pthread_mutex_unlock(&lock);
  }
  struct entry copy = entries[1];
  assert(copy.thread && copy.thread == entries[1].thread && copy.thread != entries[0].thread && !other);
  other = __VERIFIER_nondet_int() ? copy.thread : entries[0].thread;
  assert(pthread_equal(other, entries[0].thread) || pthread_equal(other, entries[1].thread));
  printf("%lu\n", (unsigned long)other);
  pthread_create(&joiner, 0, join, (void *)entries[0].thread);
  pthread_join(joiner, 0);
  assert(own[0] == entries[0].thread);
  pthread_mutex_lock(&lock);
  pthread_t seen = own[1];
  pthread_mutex_unlock(&lock);
  assert(!seen || seen == entries[1].thread);
#if defined(ORDER)
  assert(entries[0].thread < entries[1].thread);
#elif defined(REMAINDER)
  assert(copy.thread % 64 != 0);
#elif defined(SMALL)
  assert(copy.thread < 1000);
#elif defined(INDEX)
  results[other] = 1;
#elif defined(NARROW)
  assert((unsigned char)other);
#elif defined(CASES)
  switch (other) {
    case 1: return 1;
  }
#elif defined(SUM)
  atomic_fetch_add(&first, 1);
#elif defined(NUMBER)
  assert(copy.thread != 7);
#elif defined(REUSED)
  pthread_t next;
  pthread_create(&next, 0, join, (void *)entries[1].thread);
  assert(next != entries[0].thread);
#elif defined(SWAPPED)
  assert(seen == entries[1].thread);
#endif
  pthread_join(entries[1].thread, 0);
  return 0;
}
