// expect: verdict=bug kind=assertion
// expect: case=symmetric options=--symmetry algorithms=dpor,sdpor verdict=bug kind=assertion
// main joins both workers in a row, but then looks at who was first: they are not symmetric.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* number(void* argument) {
  pthread_mutex_lock(&mutex);
  *(int*)argument = ++count;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  int first, second;
  pthread_t a, b;
  pthread_create(&a, 0, number, &first);
  pthread_create(&b, 0, number, &second);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(first < second); /* ERROR */
  return 0;
}
