// expect: verdict=bug kind=data-race naive
// Two spinlocks for one variable.
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t locks[2];
static int value;

static void* worker(void* argument) {
  pthread_spinlock_t* lock = argument;
  pthread_spin_lock(lock);
  value++; /* ERROR */
  pthread_spin_unlock(lock);
  return NULL;
}

int main(void) {
  for (int i = 0; i < 2; i++) pthread_spin_init(&locks[i], PTHREAD_PROCESS_PRIVATE);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, (void*)&locks[0]);
  pthread_create(&b, NULL, worker, (void*)&locks[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
