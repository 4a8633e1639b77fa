// expect: verdict=verified
// A loop that changes something of its own at each turn is not at the same point again: it ends by itself.
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
  assert(turns <= 5);
  pthread_join(thread, NULL);
  return 0;
}
