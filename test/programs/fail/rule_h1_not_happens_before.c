// expect: verdict=bug kind=assertion naive
// expect: case=late verdict=bug kind=assertion cflags=-DLATE naive
// The last dependent transition before p's store is q2's load, which happens before it; the load of q1 must still be reversed.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static sem_t gate;

static void* q1(void* unused) {
  const int r = x;
#ifdef LATE
  assert(r == 1); /* ERROR */
#else
  assert(r == 0); /* ERROR */
#endif
  return NULL;
}

static void* q2(void* unused) {
  const int seen = x;
  sem_post(&gate);
  return seen ? unused : NULL;
}

static void* p(void* unused) {
  sem_wait(&gate);
  x = 1;
  return NULL;
}

int main(void) {
  sem_init(&gate, 0, 0);
  pthread_t a, b, c;
  pthread_create(&a, NULL, q1, NULL);
  pthread_create(&b, NULL, q2, NULL);
  pthread_create(&c, NULL, p, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
