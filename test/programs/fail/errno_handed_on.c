// expect: verdict=inconclusive assumption="the address of errno at errno_handed_on.c:" algorithms=source
// A thread writes to the errno of another.
#include <errno.h>
#include <pthread.h>

static void* write_there(void* place) {
  *(int*)place = 3;
  return 0;
}

int main(void) {
  pthread_t thread;
  errno = 0;
  pthread_create(&thread, 0, write_there, &errno);
  const int seen = errno;
  pthread_join(thread, 0);
  return seen == 7;
}
