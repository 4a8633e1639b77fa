// expect: verdict=bug kind=data-race
// A message and a flag. The flag is atomic, yet the receiver may see it before the message: it is only relaxed.
//
//     ./dev check examples/message.c
//
// Write memory_order_release and memory_order_acquire instead, and the program is verified.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static char message[16];
static atomic_int sent;

static void* sender(void* unused) {
  strcpy(message, "hello");
  atomic_store_explicit(&sent, 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, sender, NULL);
  while (!atomic_load_explicit(&sent, memory_order_relaxed)) {
  }
  assert(message[0] == 'h');
  pthread_join(thread, NULL);
  return 0;
}
