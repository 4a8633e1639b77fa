// expect: verdict=verified
// The same with <threads.h>: mutex, condition, once, thread-specific storage, result of the thread.
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t slot;
static int ready, runs;

static void initialise(void) { runs++; }

static int worker(void* argument) {
  call_once(&once, initialise);
  tss_set(slot, argument);
  mtx_lock(&mutex);
  while (!ready) cnd_wait(&changed, &mutex);
  mtx_unlock(&mutex);
  assert(tss_get(slot) == argument);
  return 7;
}

int main(void) {
  assert(mtx_init(&mutex, mtx_plain) == thrd_success && cnd_init(&changed) == thrd_success);
  tss_create(&slot, NULL);
  thrd_t thread;
  assert(thrd_create(&thread, worker, &slot) == thrd_success);
  call_once(&once, initialise);
  mtx_lock(&mutex);
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&mutex);
  int result = 0;
  thrd_join(thread, &result);
  assert(result == 7 && runs == 1);
  return 0;
}
