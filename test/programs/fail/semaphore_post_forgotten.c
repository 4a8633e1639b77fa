// expect: verdict=bug kind=deadlock naive
// Two items announced by one post.
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
  sem_wait(&items);
  sem_wait(&items); /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
