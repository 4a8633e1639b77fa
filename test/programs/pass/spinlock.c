// expect: verdict=verified naive executions(optimal)=2
// One spinlock for one variable.
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static int value;

static void* worker(void* unused) {
  pthread_spin_lock(&lock);
  value++;
  pthread_spin_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_spin_destroy(&lock);
  return value == 2 ? 0 : 1;
}
