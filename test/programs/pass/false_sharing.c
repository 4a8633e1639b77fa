// expect: verdict=verified naive executions(optimal)=1
// expect: case=all verdict=verified options=--visible=all executions(optimal)=1
// Neighbouring bytes of one word are different memory locations: no race.
#include <pthread.h>
#include <stddef.h>

static struct {
  char left, right;
} shared;

static void* write_left(void* unused) {
  shared.left = 1;
  return NULL;
}

static void* write_right(void* unused) {
  shared.right = 2;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, write_left, NULL);
  pthread_create(&b, NULL, write_right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return shared.left + shared.right - 3;
}
