// expect: verdict=bug kind=assertion naive
// Nobody promises that the post came first.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t items;

static void* produce(void* unused) {
  sem_post(&items);
  return NULL;
}

int main(void) {
  sem_init(&items, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, produce, NULL);
  assert(sem_trywait(&items) == 0); /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
