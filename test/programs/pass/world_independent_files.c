// expect: verdict=verified executions(optimal)=36
// Three threads each make a file (3! orders of the names) and write to a shared one (3! orders); their own files are independent.
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
