// expect: case=others options="--nondet=1,10..12" verdict=inconclusive reason="an input has more values than are explored" assumption="nondet_int: only the values of --nondet are explored"
// expect: case=found options="--nondet=1,40..42" verdict=bug kind=assertion
// expect: case=default verdict=inconclusive reason="an input has more values than are explored"
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>

static int key;

static void *look(void *unused) {
  int value = __VERIFIER_nondet_int();
  assert(value != key); /* ERROR */
  return unused;
}

int main(void) {
  key = 42;
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  pthread_join(thread, 0);
  return 0;
}
