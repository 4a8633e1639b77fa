// expect: verdict=verified
// expect: case=empty cflags=-DEMPTY verdict=bug kind=memory-error
// A stack in an array; broken: an empty one is popped.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
int items[3];
int top;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int value;
void *push(void *unused) {
  pthread_mutex_lock(&m);
  items[top++] = value;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t;
  value = __VERIFIER_nondet_int();
  pthread_create(&t, 0, push, 0);
  pthread_mutex_lock(&m);
#ifndef EMPTY
  if (top > 0)
#endif
  {
    top--;
    assert(items[top] == value);
  }
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
