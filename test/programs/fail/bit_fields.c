// expect: verdict=bug kind=data-race naive
// Neighbouring bit-fields, in contrast, are one memory location.
#include <pthread.h>
#include <stddef.h>

static struct {
  unsigned left : 4, right : 4;
} shared;

static void* write_left(void* unused) {
  shared.left = 1; /* ERROR */
  return NULL;
}

static void* write_right(void* unused) {
  shared.right = 2; /* ERROR */
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, write_left, NULL);
  pthread_create(&b, NULL, write_right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
