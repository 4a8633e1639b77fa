// expect: verdict=verified
// expect: case=again cflags=-DAGAIN verdict=bug kind=api-misuse
// A lock is made anew, but destroyed before.
#include <pthread.h>
pthread_mutex_t lock;
int main(void) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_init(&lock, 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
#ifndef AGAIN
    pthread_mutex_destroy(&lock);
#endif
  }
  return 0;
}
