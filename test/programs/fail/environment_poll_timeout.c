// expect: verdict=bug kind=assertion
// A poll with a limit may find the byte or run out of time, as the other thread is fast or slow.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int pipes[2];

static void* writer(void* unused) {
  assert(write(pipes[1], "x", 1) == 1);
  return unused;
}

int main(void) {
  if (pipe(pipes)) return 1;
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  struct pollfd wait = {pipes[0], POLLIN, 0};
  const int ready = poll(&wait, 1, 100);
  pthread_join(thread, NULL);
  assert(ready == 1); /* ERROR */
  return 0;
}
