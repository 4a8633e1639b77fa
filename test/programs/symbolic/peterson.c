// expect: verdict=verified
// expect: case=turn cflags=-DTURN verdict=bug kind=data-race|assertion
// Peterson's algorithm; broken where a thread takes the turn for itself.
#include <stdatomic.h>
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
_Atomic int wants[2], turn;
int inside, data;
void enter(int me) {
  wants[me] = 1;
#ifdef TURN
  turn = me;
#else
  turn = 1 - me;
#endif
  int other = wants[1 - me];
  inspect_assume(!other || turn == me);
}
void *second(void *arg) {
  enter(1);
  data = *(int *)arg;
  inside = data;
  assert(inside == data);
  wants[1] = 0;
  return 0;
}
int main(void) {
  pthread_t t;
  int value = __VERIFIER_nondet_int();
  pthread_create(&t, 0, second, &value);
  enter(0);
  data = 1;
  inside = data;
  assert(inside == 1);
  wants[0] = 0;
  pthread_join(t, 0);
  return 0;
}
