// expect: verdict=verified
// expect: case=early cflags=-DEARLY verdict=bug kind=data-race
// A thread looks at its own handle, which may be stored after it began.
#include <assert.h>
#include <pthread.h>
pthread_t handle;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *run(void *unused) {
#ifndef EARLY
  pthread_mutex_lock(&lock);
#endif
  pthread_t own = handle;
#ifndef EARLY
  pthread_mutex_unlock(&lock);
#endif
  assert(own);
  return unused;
}
int main(void) {
  pthread_mutex_lock(&lock);
  pthread_create(&handle, 0, run, 0);
  pthread_mutex_unlock(&lock);
  pthread_join(handle, 0);
  return 0;
}
