// expect: verdict=bug kind=assertion naive
// The mask of the system's log is one for all threads: whether main finds its own depends on who came last.
#include <assert.h>
#include <pthread.h>
#include <syslog.h>

static void* restrict_log(void* unused) {
  setlogmask(LOG_MASK(LOG_ERR));
  return unused;
}

int main(void) {
  pthread_t thread;
  setlogmask(0xFF);
  pthread_create(&thread, 0, restrict_log, 0);
  const int before = setlogmask(0xFF);
  pthread_join(thread, 0);
  assert(before == 0xFF);
}
