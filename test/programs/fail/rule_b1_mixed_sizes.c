// expect: verdict=bug kind=assertion naive
// Objects are byte ranges: a store of the word conflicts with a load of one of its bytes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static union {
  _Atomic unsigned word;
  _Atomic unsigned char bytes[4];
} shared;

static void* writer(void* unused) {
  shared.word = 0x01010101;
  return NULL;
}

static void* reader(void* unused) {
  assert(shared.bytes[2] == 0); /* ERROR */
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
