// expect: verdict=verified executions(optimal)=540
// Three threads each make a file and write to a shared one; their own files are independent, but for the numbers: the orders of opening and
// closing are told apart by who gets the lowest free one.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int shared;

static void* worker(void* argument) {
  char name[32];
  snprintf(name, sizeof name, "independent-%ld", (long)argument);
  const int own = open(name, O_CREAT | O_RDWR, 0600);
  assert(write(own, "abc", 3) == 3);
  assert(write(shared, "x", 1) == 1);
  assert(close(own) == 0);
  return NULL;
}

int main(void) {
  shared = open("shared", O_CREAT | O_RDWR, 0600);
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, worker, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(lseek(shared, 0, SEEK_CUR) == 3);
  return 0;
}
