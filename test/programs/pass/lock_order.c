// expect: verdict=verified naive executions(optimal)=2
// Both threads take the locks in one order.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, worker, NULL);
  pthread_create(&second, NULL, worker, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
