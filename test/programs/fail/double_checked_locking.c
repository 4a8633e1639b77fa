// expect: verdict=bug kind=data-race naive
// The first check reads the pointer without the lock.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int* instance;

static void* use(void* unused) {
  if (instance == NULL) { /* ERROR */
    pthread_mutex_lock(&mutex);
    if (instance == NULL) { /* ERROR */
      int* fresh = malloc(sizeof *fresh);
      *fresh = 42;
      instance = fresh; /* ERROR */
    }
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, use, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(instance);
  return 0;
}
