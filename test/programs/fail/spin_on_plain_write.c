// expect: verdict=bug kind=data-race naive
// A loop waits for an atomic that another thread writes plainly first. The turn that ends the loop comes after that write; those before,
// which are in vain, race with it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void* setter(void* unused) {
  *(volatile int*)&flag = 0; /* ERROR */
  atomic_store(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, setter, NULL);
  while (!atomic_load(&flag)) { /* ERROR */
  }
  pthread_join(thread, NULL);
  return 0;
}
