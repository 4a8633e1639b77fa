// Each worker takes a number and fills its place; there is one for each, and the place behind the last is only pointed at.
//
// expect: verdict=verified naive
// expect: case=optimised verdict=verified cflags=-O2
#include <pthread.h>

#ifndef TABLE
#define TABLE
#endif

TABLE int places[3], neighbour;
static int next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* unused) {
  pthread_mutex_lock(&lock);
  const int mine = next++;
  pthread_mutex_unlock(&lock);
  places[mine] = 1;
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  int sum = neighbour;
  for (const int* at = places; at != &places[3]; ++at) sum += *at;
  return sum - 3;
}
