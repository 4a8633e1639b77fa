// expect: verdict=verified algorithms=source executions(source)=12870 tier=slow
// Every execution sets a locale, for which the library maps its files and keeps them. No process may have that many mappings: one
// that is given up in time goes unnoticed, and the heap looks the same in all of them.
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic int* shared;

static void* worker(void* number) {
  for (int i = 0; i < 8; ++i) atomic_store(shared, (int)(long)number);
  return NULL;
}

int main(void) {
  setlocale(LC_ALL, "C.UTF-8");
  shared = calloc(1, sizeof *shared);
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  free((void*)shared);
  return 0;
}
