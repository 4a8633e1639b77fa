// expect: verdict=verified naive executions(optimal)=2
// The load of q1 before or after the store of p.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static sem_t gate;

static void* q1(void* unused) { return x ? unused : NULL; }

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
