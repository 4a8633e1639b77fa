// expect: verdict=bug kind=assertion
// A descriptor is closed twice; between the two another thread has opened a file, which got the lowest free number.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int connection;

static void* log_something(void* unused) {
  const int log = open("/dev/null", O_WRONLY);
  assert(write(log, "x", 1) == 1); /* ERROR */
  close(log);
  return unused;
}

int main(void) {
  connection = open("/dev/zero", O_RDONLY);
  pthread_t thread;
  pthread_create(&thread, NULL, log_something, NULL);
  close(connection);
  close(connection);
  pthread_join(thread, NULL);
  return 0;
}
