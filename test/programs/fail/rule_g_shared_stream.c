// expect: verdict=bug|inconclusive|unsupported kind=assertion stdin=ab
// The same with the stream's buffer and position.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int read_by[2];

static void* reader(void* argument) {
  *(int*)argument = fgetc(stdin);
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
