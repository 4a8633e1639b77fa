// expect: verdict=bug kind=data-race naive
// The result of trylock is ignored.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void* careful(void* unused) {
  pthread_mutex_lock(&mutex);
  value++; /* ERROR */
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, careful, NULL);
  const int failed = pthread_mutex_trylock(&mutex);
  value++; /* ERROR */
  if (!failed) pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
