// expect: verdict=verified
// A loop that counts its rounds is not spinning: it ends by itself.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;

static void* impatient(void* unused) {
  int rounds = 0;
  while (!ready && rounds < 5) rounds++;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, impatient, NULL);
  pthread_join(thread, NULL);
  return 0;
}
