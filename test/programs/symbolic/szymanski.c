// expect: verdict=verified
// expect: case=door cflags=-DDOOR verdict=bug kind=data-race|assertion
// Szymanski's algorithm for two: a waiting room with a door. Broken: nobody looks at the door.
#include <stdatomic.h>
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
_Atomic int flag[2];
int data;
void enter(int me) {
  flag[me] = 1;
#ifndef DOOR
  inspect_assume(flag[1 - me] < 3);
#endif
  flag[me] = 3;
  if (flag[1 - me] == 1) {
    flag[me] = 2;
    inspect_assume(flag[1 - me] == 4);
  }
  flag[me] = 4;
  if (me == 1) inspect_assume(flag[0] < 2);
}
void leave(int me) {
  if (me == 0) inspect_assume(flag[1] < 2 || flag[1] > 3);
  flag[me] = 0;
}
void *second(void *arg) {
  enter(1);
  data = *(int *)arg;
  leave(1);
  return 0;
}
int main(void) {
  pthread_t t;
  int value = __VERIFIER_nondet_int();
  pthread_create(&t, 0, second, &value);
  enter(0);
  data = 5;
  assert(data == 5);
  leave(0);
  pthread_join(t, 0);
  return 0;
}
