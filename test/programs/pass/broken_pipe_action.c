// expect: verdict=verified
// SIGPIPE is ignored before there is anybody to get it.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];

static void* writer(void* unused) {
  write(ends[1], "x", 1);
  return unused;
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  pipe(ends);
  close(ends[0]);
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  pthread_join(thread, NULL);
}
