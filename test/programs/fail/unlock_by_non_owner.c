// expect: verdict=bug kind=api-misuse naive
// One thread unlocks what the other has locked.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* helper(void* unused) {
  pthread_mutex_unlock(&mutex); /* ERROR */
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, NULL, helper, NULL);
  pthread_join(thread, NULL);
  return 0;
}
