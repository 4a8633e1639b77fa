// expect: verdict=verified naive executions(optimal)=1
// The creator waits before it touches the variable again.
#include <pthread.h>
#include <stddef.h>

static void* add(void* argument) {
  int* sum = argument;
  *sum += 1;
  return NULL;
}

int main(void) {
  int sum = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, add, &sum);
  pthread_join(thread, NULL);
  sum += 2;
  return sum == 3 ? 0 : 1;
}
