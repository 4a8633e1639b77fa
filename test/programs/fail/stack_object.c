// expect: verdict=bug kind=data-race naive
// A local variable is as shared as any other once its address is out.
#include <pthread.h>
#include <stddef.h>

static void* add(void* argument) {
  int* sum = argument;
  *sum += 1; /* ERROR */
  return NULL;
}

int main(void) {
  int sum = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, add, &sum);
  sum += 2; /* ERROR */
  pthread_join(thread, NULL);
  return sum == 3 ? 0 : 1;
}
