// expect: verdict=bug kind=assertion naive
// Each turn of the loop counts, in memory that the thread has written before: no turn is in vain.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int turns;

static void* setter(void* unused) {
  atomic_store(&flag, 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, setter, NULL);
  while (!atomic_load(&flag) && turns < 5) turns++;
  assert(turns != 3); /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
