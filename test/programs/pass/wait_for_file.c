// expect: verdict=verified
// expect: case=stat verdict=verified cflags=-DSTAT
// Waiting for a file that another thread makes: a look that finds nothing changes nothing.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static const char name[] = "inspect-waits-for-this";
static int data;

static int is_there(void) {
#ifdef STAT
  struct stat status;
  return stat(name, &status) == 0;
#else
  return access(name, F_OK) == 0;
#endif
}

static void* maker(void* unused) {
  data = 1;
  close(open(name, O_CREAT | O_WRONLY, 0600));
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, maker, NULL);
  while (!is_there()) usleep(100);
  pthread_join(thread, NULL);
  assert(data == 1);
  unlink(name);
  return 0;
}
