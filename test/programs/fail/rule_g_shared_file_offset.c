// expect: verdict=bug|inconclusive|unsupported kind=assertion stdin=ab
// Two threads read from one descriptor: the file offset is shared.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static char read_by[2];

static void* reader(void* argument) {
  if (read(0, argument, 1) != 1) *(char*)argument = '?';
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, &read_by[0]);
  pthread_create(&b, NULL, reader, &read_by[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(read_by[0] == 'a'); /* ERROR */
  return 0;
}
