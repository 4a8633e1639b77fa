// expect: verdict=bug kind=assertion cflags='-fsanitize=undefined -fno-sanitize-recover=undefined' naive
// An overflow that only one order of the threads reaches; the sanitizer ends the program.
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int largest;

static void* worker(void* unused) {
  largest = INT_MAX;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  const int seen = largest;
  const int next = seen + 1;
  pthread_join(thread, NULL);
  return next == 1 ? 0 : 7;
}
