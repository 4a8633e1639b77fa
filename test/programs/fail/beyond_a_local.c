// What another thread counts is the index into an array that nobody else sees: read too late, it lies outside.
//
// expect: verdict=bug kind=memory-error naive
// expect: case=optimised verdict=bug kind=memory-error cflags=-O2 algorithms=dpor
// expect: case=before verdict=bug kind=memory-error cflags=-DINDEX=-1 algorithms=dpor
// expect: case=grown verdict=bug kind=memory-error cflags="-DGROWN -O2" algorithms=dpor
// expect: case=by_value verdict=bug kind=memory-error cflags=-DBY_VALUE algorithms=dpor
// expect: case=filled verdict=bug kind=memory-error cflags=-DFILLED algorithms=dpor
// expect: case=printed verdict=bug kind=memory-error cflags=-DPRINTED algorithms=dpor
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifndef INDEX
#define INDEX 1
#endif

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int read_count(void) {
  pthread_mutex_lock(&lock);
  const int now = count;
  pthread_mutex_unlock(&lock);
  return now;
}

static void* worker(void* unused) {
  pthread_mutex_lock(&lock);
  count += INDEX;
  pthread_mutex_unlock(&lock);
  return unused;
}

#if defined(BY_VALUE)
struct four {
  long number[4];
};
static long pick(struct four from, int i) { return from.number[i + 3]; /* ERROR */ }
static long use(int i) { return pick((struct four){{0}}, i); }
#elif defined(FILLED)
static long use(int i) {
  char text[4] = "";
  memset(text, 'x', (size_t)i + 4); /* ERROR */
  return text[0];
}
#elif defined(PRINTED)
static long use(int i) {
  char text[4] = "";
  sprintf(text, "%d", i ? 1000 : 100); /* ERROR */
  return text[0];
}
#elif defined(GROWN)
static long use(int i) {
  int numbers[read_count() * 0 + 1];
  numbers[0] = 0;
  return numbers[i]; /* ERROR */
}
#else
static long use(int i) {
  int numbers[1] = {0};
  return numbers[i]; /* ERROR */
}
#endif

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  const long seen = use(read_count());
  pthread_join(thread, 0);
  return (int)(seen & 0);
}
