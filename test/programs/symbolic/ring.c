// expect: verdict=verified
// expect: case=wrap cflags=-DWRAP verdict=bug kind=memory-error
// A ring buffer that may begin anywhere: what is put in comes out. Broken: the index does not go round.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
int ring[4];
unsigned head, tail, count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void put(int value) {
  pthread_mutex_lock(&m);
  ring[head] = value;
#ifdef WRAP
  head = head + 1;
#else
  head = (head + 1) % 4;
#endif
  count++;
  pthread_mutex_unlock(&m);
}
int values[2];
void *producer(void *unused) {
  put(values[0]);
  put(values[1]);
  return unused;
}
int main(void) {
  pthread_t t;
  unsigned at = inspect_nondet(4);
  head = tail = at;
  values[0] = __VERIFIER_nondet_int();
  values[1] = __VERIFIER_nondet_int();
  pthread_create(&t, 0, producer, 0);
  pthread_mutex_lock(&m);
  if (count > 0) {
    assert(ring[tail] == values[0]);
    tail = (tail + 1) % 4;
    count--;
  }
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
