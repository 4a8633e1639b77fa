// expect: verdict=bug kind=assertion naive
// After three turns in vain the loop gives up: the turns count, although only on the stack.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void* setter(void* unused) {
  atomic_store(&flag, 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, setter, NULL);
  int turns[2] = {0, 0};
  while (!atomic_load(&flag) && turns[1] < 3) turns[(turns[0] + 1) % 2]++;
  assert(atomic_load(&flag) || turns[1] < 3); /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
