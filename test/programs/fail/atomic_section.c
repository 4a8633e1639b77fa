// expect: verdict=bug kind=data-race naive
// A section protects only against other sections.
#include <inspect/inspect.h>
#include <pthread.h>
#include <stddef.h>

static int value;

static void* worker(void* unused) {
  inspect_atomic_begin();
  value++; /* ERROR */
  inspect_atomic_end();
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  value++; /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
