// expect: verdict=unsupported reason="asynchronous cancellation inside a call"
// A structure is copied by several instructions: it may be left half copied.
#include <assert.h>
#include <pthread.h>

struct Four {
  long a, b, c, d;
};
static struct Four to, from = {1, 1, 1, 1};

static void* run(void* argument) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  to = from;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  assert(to.a == to.d);
  return 0;
}
