// expect: verdict=verified naive
// errno is 0 where a thread starts; what no machine can grant is refused with an error.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void* worker(void* unused) {
  assert(errno == 0);
  volatile size_t huge = SIZE_MAX / 2, odd = 24;
  void* volatile block = malloc(huge);
  assert(!block && errno == ENOMEM);
  block = calloc(huge, 4);
  assert(!block);
  block = realloc(NULL, huge);
  assert(!block);
  block = aligned_alloc(odd, 48);
  assert(!block && errno == EINVAL);
  void* aligned = NULL;
  assert(posix_memalign(&aligned, odd, 48) == EINVAL && posix_memalign(&aligned, 64, huge) == ENOMEM && !aligned);
  return NULL;
}

int main(void) {
  assert(errno == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker((errno = 0, NULL));
  pthread_join(thread, NULL);
  return 0;
}
