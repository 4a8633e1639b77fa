// expect: verdict=bug kind=data-race
// expect: case=all verdict=bug kind=data-race options=--visible=all
// The read with which the loop ends comes after the plain write; the turns before it need not.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;

static void* waits(void* unused) {
  while (!atomic_load(&ready)) { /* ERROR */
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waits, NULL);
  *(int*)&ready = 0; /* ERROR */
  atomic_store(&ready, 1);
  pthread_join(thread, NULL);
  return 0;
}
