// expect: verdict=bug kind=assertion
// expect: case=symmetric options=--symmetry algorithms=dpor,sdpor verdict=bug kind=assertion
// Once the first has written, both threads are symmetric. That the second may add before the write shows only in the part that
// symmetry skips: it must be mirrored.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int sum;

static void add(void) {
  pthread_mutex_lock(&mutex);
  sum += 2;
  pthread_mutex_unlock(&mutex);
}

static void* writes_first(void* unused) {
  (void)unused;
  sum = 1;
  add();
  return 0;
}

static void* adds(void* unused) {
  (void)unused;
  add();
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, writes_first, 0);
  pthread_create(&second, 0, adds, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(sum == 5); /* ERROR */
  return 0;
}
