#include <assert.h>
#include <pthread.h>

#include "counter.h"

int linked(void), named(void), generated(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int locked;

static void* run(void* unused) {
  if (locked) pthread_mutex_lock(&m);
  count();
  if (locked) pthread_mutex_unlock(&m);
  return unused;
}

int main(int argc, char** argv) {
  (void)argv;
  locked = argc == 1;
  assert(linked() == 1 && named() == 2 && generated() == 3);
  pthread_t threads[LIMIT];
  for (int i = 0; i < LIMIT; ++i) pthread_create(&threads[i], 0, run, 0);
  for (int i = 0; i < LIMIT; ++i) pthread_join(threads[i], 0);
  assert(counter == LIMIT);
  return 0;
}
