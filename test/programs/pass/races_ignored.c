// Right as long as plain accesses are single steps in one order: with --races=ignore that is assumed, and the report says so.
// expect: case=peterson cflags=-DPETERSON options=--races=ignore verdict=verified assumption="data races are taken for ordinary accesses"
// expect: case=handshake cflags=-DHANDSHAKE options=--races=ignore verdict=verified assumption="data races are taken for ordinary accesses" naive
// expect: case=same_value cflags=-DSAME_VALUE options=--races=ignore verdict=verified assumption="1 pair of places has one" naive
// expect: case=none cflags=-DNONE options=--races=report verdict=verified naive
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile int wants[2], turn, inside;
static int data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* run(void* number) {
#ifdef PETERSON
  const int self = number != NULL;
  wants[self] = 1;
  turn = !self;
  while (wants[!self] && turn == !self) {
  }
  assert(++inside == 1);
  --inside;
  wants[self] = 0;
#elif defined HANDSHAKE
  if (number) {
    data = 7;
    turn = 1;
  } else if (turn) {
    assert(data == 7);
  }
#elif defined SAME_VALUE
  data = 1;
  (void)number;
#else
  pthread_mutex_lock(&lock);
  data += number != NULL;
  pthread_mutex_unlock(&lock);
#endif
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, &data);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return data == 0 && inside && lock.__data.__lock;
}
