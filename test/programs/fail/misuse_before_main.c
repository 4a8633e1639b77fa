// expect: verdict=unsupported reason="before main"
// A constructor waits for a mutex that nobody can ever give back to it.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void lock_twice(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
}

int main(void) { return 0; }
