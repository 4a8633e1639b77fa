// expect: verdict=bug kind=assertion
// Two readers of one pipe: which of them gets the first byte is open.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int pipes[2];
static char got[2];

static void* reader(void* argument) {
  assert(read(pipes[0], argument, 1) == 1);
  return NULL;
}

int main(void) {
  if (pipe(pipes)) return 1;
  pthread_t a, b;
  pthread_create(&a, NULL, reader, &got[0]);
  pthread_create(&b, NULL, reader, &got[1]);
  assert(write(pipes[1], "ab", 2) == 2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(got[0] == 'a'); /* ERROR */
  return 0;
}
