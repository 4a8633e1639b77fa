// expect: verdict=verified naive
// Each descriptor is closed once. The lowest free number is the next one, in every order of opening and closing: all of them happen.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static int connection;
static atomic_int log_number;

static void* log_something(void* unused) {
  const int log = open("/dev/null", O_WRONLY);
  atomic_store(&log_number, log);
  assert(write(log, "x", 1) == 1);
  return unused;
}

int main(void) {
  connection = open("/dev/zero", O_RDONLY);
  pthread_t thread;
  pthread_create(&thread, NULL, log_something, NULL);
  close(connection);
  pthread_join(thread, NULL);
  const int log = atomic_load(&log_number);
  assert(log == connection || log == connection + 1);
  close(log);
  assert(dup(1) == connection);
  return 0;
}
