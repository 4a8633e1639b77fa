// expect: verdict=bug|inconclusive|unsupported kind=assertion
// rand() has a hidden state: which thread draws first makes a difference, or the verdict must say that it was not looked at.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int drawn;

static void* draw(void* argument) {
  *(int*)argument = rand();
  return NULL;
}

int main(void) {
  srand(1);
  const int first = rand();
  srand(1);
  int mine = 0;
  pthread_t a, b;
  pthread_create(&a, NULL, draw, &mine);
  pthread_create(&b, NULL, draw, &drawn);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(mine == first); /* ERROR */
  return 0;
}
