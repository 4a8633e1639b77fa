// expect: verdict=verified
// expect: case=read_locked cflags=-DREAD verdict=bug kind=data-race|assertion
// A cache under a read-write lock, filled by who finds it empty. Broken: it is filled under the lock for reading.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdio.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int full, value, input;
int get(void) {
  pthread_rwlock_rdlock(&l);
  int found = full, result = value;
#ifdef READ
  if (!found) {
    value = result = input;
    full = 1;
  }
  pthread_rwlock_unlock(&l);
#else
  pthread_rwlock_unlock(&l);
  if (!found) {
    pthread_rwlock_wrlock(&l);
    value = result = input;
    full = 1;
    pthread_rwlock_unlock(&l);
  }
#endif
  return result;
}
void *run(void *unused) {
  assert(get() == input);
  puts("read");
  return unused;
}
int main(void) {
  pthread_t t;
  input = __VERIFIER_nondet_int();
  pthread_create(&t, 0, run, 0);
  assert(get() == input);
  pthread_join(t, 0);
  return 0;
}
