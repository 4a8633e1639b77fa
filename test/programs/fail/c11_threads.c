// expect: verdict=bug kind=assertion naive
// mtx_trylock may find the mutex busy.
#include <assert.h>
#include <threads.h>

static mtx_t mutex;

static int worker(void* unused) {
  mtx_lock(&mutex);
  mtx_unlock(&mutex);
  return 0;
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  thrd_t thread;
  thrd_create(&thread, worker, NULL);
  assert(mtx_trylock(&mutex) == thrd_success); /* ERROR */
  mtx_unlock(&mutex);
  thrd_join(thread, NULL);
  return 0;
}
