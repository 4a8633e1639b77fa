// What a variable argument list still holds is no named local: states inside it have no identity. What the second thread saw
// stands nowhere else once the flag is down again.
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>

static atomic_int count[2], flag;

__attribute__((noinline)) static int last(int n, ...) {
  va_list list;
  va_start(list, n);
  int value = 0;
  while (n--) {
    atomic_fetch_xor(&count[0], 1);
    value = va_arg(list, int);
    if (value & 1) atomic_fetch_xor(&count[1], 1);
  }
  va_end(list);
  return value;
}

static void* raise(void* unused) {
  (void)unused;
  for (int k = 0; k < 3; k++) atomic_store(&flag, 1);
  return 0;
}

static void* run(void* unused) {
  (void)unused;
  for (int k = 0; k < 3; k++) {
    int seen = atomic_load(&flag);
    atomic_store(&flag, 0);
    last(3, 0, 0, seen);
    atomic_store(&count[0], 0);
    atomic_store(&count[1], 0);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, raise, 0);
  pthread_create(&t[1], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
