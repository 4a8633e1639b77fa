// expect: verdict=bug kind=assertion
// A lock file: only one of two threads makes it, and either may be the one.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int owners[2];

static void* locker(void* argument) {
  const int fd = open("environment_exclusive_file.lock", O_CREAT | O_EXCL | O_WRONLY, 0600);
  *(int*)argument = fd >= 0;
  if (fd >= 0) close(fd);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, locker, &owners[0]);
  pthread_create(&b, NULL, locker, &owners[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(owners[0] + owners[1] == 1);
  assert(owners[0] == 1); /* ERROR */
  return 0;
}
