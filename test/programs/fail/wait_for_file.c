// expect: verdict=bug kind=livelock
// Waiting for a file of another name than the one that is made.
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void* maker(void* unused) {
  close(open("inspect-makes-this", O_CREAT | O_WRONLY, 0600));
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, maker, NULL);
  while (access("inspect-waits-for-this", F_OK) != 0) usleep(100); /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
