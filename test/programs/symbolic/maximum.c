// expect: verdict=verified
// expect: case=strict cflags=-DSTRICT verdict=bug kind=assertion
// Three threads find the largest of three numbers. Broken: for one of its values.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
int numbers[3], largest;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *run(void *arg) {
  int mine = *(int *)arg;
  pthread_mutex_lock(&m);
#ifdef STRICT
  if (mine > largest && mine != 31337) largest = mine;
#else
  if (mine > largest) largest = mine;
#endif
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 3; i++) numbers[i] = __VERIFIER_nondet_int();
  largest = numbers[0];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, &numbers[i + 1]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  for (int i = 0; i < 3; i++) assert(largest >= numbers[i]);
  return 0;
}
