// Each of two threads allocates a block of its own, and whoever is first one for both, which is raced for.
// expect: options="--races=report --keep-going" algorithms=dpor,source verdict=bug kind=data-race kinds=data-race
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long* given;

static void* make(void* unused) {
  long* kept = malloc(sizeof *kept);
  *kept = 1;
  pthread_mutex_lock(&lock);
  if (!given) given = malloc(sizeof *given);
  pthread_mutex_unlock(&lock);
  *given = *kept;
  free(kept);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, make, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(given && *given == 1);
  free(given);
  return 0;
}
