// expect: verdict=bug kind=assertion naive
// The key of thread-specific data is deleted as a thread ends: before its destructor is looked up, or after.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_key_t key;
static sem_t set;
static atomic_int destroyed;

static void destroy(void* value) {
  (void)value;
  destroyed = 1;
}

static void* worker(void* unused) {
  pthread_setspecific(key, &key);
  sem_post(&set);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&set, 0, 0);
  pthread_key_create(&key, destroy);
  pthread_create(&thread, NULL, worker, NULL);
  sem_wait(&set);
  pthread_key_delete(key);
  pthread_join(thread, NULL);
  assert(destroyed); /* ERROR */
}
