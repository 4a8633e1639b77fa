// A handler that saves errno and puts it back is seen by nobody.
//
// expect: verdict=verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static void handle(int number) {
  const int before = errno;
  (void)number;
  if (close(-1) == 0) _exit(1);
  errno = before;
}

static void* run(void* argument) {
  errno = 5;
  assert(errno == 5);
  return argument;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handle);
  pthread_create(&thread, NULL, run, NULL);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  return 0;
}
