// expect: verdict=bug kind=deadlock
// Both ends of the pipe are in the program: nobody will ever write, so reading is a deadlock and not a wait for the outside.
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int pipes[2];

static void* reader(void* unused) {
  char byte;
  read(pipes[0], &byte, 1);
  return unused;
}

int main(void) {
  if (pipe(pipes)) return 1;
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  pthread_join(thread, NULL);
  return 0;
}
