// expect: verdict=verified
// The loop reads two flags in turn. One is cleared after it was read and before the other is read: what was read is no longer
// true, so the loop goes round once more and is not taken for stuck.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int a = 1, b;

static void* changer(void* unused) {
  a = 0;
  return NULL;
}

static void* spinner(void* unused) {
  for (;;) {
    if (a == 0) break;
    if (b == 1) break;
  }
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, spinner, NULL);
  pthread_create(&second, NULL, changer, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
