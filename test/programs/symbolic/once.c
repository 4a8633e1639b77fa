// expect: verdict=verified
// expect: case=checked_twice cflags=-DUNLOCKED verdict=bug kind=data-race|assertion
// Something is set up once, by whoever comes first.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
int ready, value, setups, input;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int get(void) {
#ifdef UNLOCKED
  if (ready) return value;
#endif
  pthread_mutex_lock(&m);
  if (!ready) {
    value = input;
    setups++;
    ready = 1;
  }
  int result = value;
  pthread_mutex_unlock(&m);
  return result;
}
void *run(void *unused) {
  assert(get() == input);
  return unused;
}
int main(void) {
  pthread_t t;
  input = __VERIFIER_nondet_int();
  pthread_create(&t, 0, run, 0);
  assert(get() == input);
  pthread_join(t, 0);
  assert(setups == 1);
  return 0;
}
