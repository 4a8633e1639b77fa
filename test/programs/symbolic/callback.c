// expect: verdict=verified
// expect: case=null cflags=-DNULL_ENTRY verdict=bug kind=crash|memory-error
// A table of functions, one chosen by an input.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
int sum;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void add(int n) { sum += n; }
static void take(int n) { sum -= n; }
#ifdef NULL_ENTRY
static void (*const table[])(int) = {add, take, 0};
#else
static void (*const table[])(int) = {add, take, add};
#endif
unsigned which;
void *run(void *unused) {
  pthread_mutex_lock(&m);
  table[which](4);
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t;
  which = inspect_nondet(3);
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&m);
  table[which & 1](4);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(sum >= -8 && sum <= 8);
  return 0;
}
