// What another thread counts is the index into an array that nobody else sees: read early or late, it lies within.
//
// expect: verdict=verified naive
// expect: case=grown verdict=verified cflags="-DGROWN -O2" algorithms=dpor
// expect: case=printed verdict=verified cflags=-DPRINTED algorithms=dpor
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
  long number[5];
};
static long pick(struct four from, int i) { return from.number[i + 3]; }
static long use(int i) { return pick((struct four){{0}}, i); }
#elif defined(FILLED)
static long use(int i) {
  char text[5] = "";
  memset(text, 'x', (size_t)i + 4);
  return text[0];
}
#elif defined(PRINTED)
static long use(int i) {
  char text[5] = "";
  sprintf(text, "%d", i ? 1000 : 100);
  return text[0];
}
#elif defined(GROWN)
static long use(int i) {
  int numbers[read_count() * 0 + 2];
  numbers[0] = numbers[1] = 0;
  return numbers[i < 0 ? -i : i];
}
#else
static long use(int i) {
  int numbers[2] = {0};
  return numbers[i < 0 ? -i : i];
}
#endif

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  const long seen = use(read_count());
  pthread_join(thread, 0);
  return (int)(seen & 0);
}
