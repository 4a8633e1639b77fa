// expect: verdict=unsupported naive
// Of two posts of a semaphore that may be counted once more, either fails: posts are taken to be independent.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s;
static int results[2];

static void* poster(void* number) {
  results[(long)number] = sem_post(&s);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  sem_init(&s, 0, SEM_VALUE_MAX - 1);
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, poster, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(results[0] == 0);
}
