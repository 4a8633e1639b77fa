// expect: verdict=unsupported reason="asynchronous cancellation inside a call"
// What a call leaves behind that is ended somewhere inside is not known.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* run(void* argument) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  return 0;
}
