// expect: verdict=bug kind=crash
// Another thread may ignore SIGPIPE too late.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];

static void* writer(void* unused) {
  write(ends[1], "x", 1);
  return unused;
}

int main(void) {
  pipe(ends);
  close(ends[0]);
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  signal(SIGPIPE, SIG_IGN);
  pthread_join(thread, NULL);
}
