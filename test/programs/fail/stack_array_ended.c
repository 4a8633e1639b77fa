// expect: verdict=bug kind=memory-error message="whose block has ended"
// expect: case=loop_O0 verdict=bug kind=memory-error message="whose block has ended" cflags=-O0 algorithms=optimal
// expect: case=function verdict=bug kind=memory-error message="whose function has returned" cflags=-DFUNCTION
// An array of variable length ends with its block. The report says whether the function that it is in goes on.
#include <pthread.h>

static int* volatile kept;

__attribute__((noinline)) static void keep(int n) {
  int array[n];
  for (int i = 0; i < n; i++) array[i] = i;
  kept = array;
}

static void* worker(void* argument) {
  const int n = *(int*)argument;
#ifdef FUNCTION
  keep(n);
#else
  for (int i = 1; i <= n; i++) {
    int array[i];
    array[0] = i;
    kept = array;
  }
  if (n < 0) keep(n);
#endif
  *(int*)argument = *kept; /* ERROR */
  return NULL;
}

int main(void) {
  int n = 2;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, &n);
  pthread_join(thread, NULL);
}
