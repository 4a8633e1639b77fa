// Each worker takes a number and fills its place. The table has one place too few: the last worker writes behind it.
//
// expect: verdict=bug kind=memory-error naive
// expect: case=optimised verdict=bug kind=memory-error cflags=-O2
// expect: case=static verdict=bug kind=memory-error cflags=-DTABLE=static algorithms=dpor
#include <pthread.h>

#ifndef TABLE
#define TABLE
#endif

TABLE int places[2], neighbour;
static int next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* unused) {
  pthread_mutex_lock(&lock);
  const int mine = next++;
  pthread_mutex_unlock(&lock);
  places[mine] = 1; /* ERROR */
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return neighbour;
}
