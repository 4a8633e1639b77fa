// expect: verdict=bug text="BUG: memory-error"
// The function's variable is gone when the thread writes it.
#include <pthread.h>
pthread_t t;
void *set(void *where) {
  *(int *)where = 1;
  return 0;
}
static void start(void) {
  int local = 0;
  pthread_create(&t, 0, set, &local);
}
int main(void) {
  start();
  pthread_join(t, 0);
  return 0;
}
