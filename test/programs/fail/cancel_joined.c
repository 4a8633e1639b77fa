// expect: verdict=bug kind=api-misuse
// The id of a thread that was joined is nobody's.
#include <pthread.h>

static void* run(void* argument) { return argument; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  pthread_cancel(thread); /* ERROR */
  return 0;
}
