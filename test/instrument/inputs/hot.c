// What machine_code_test.py looks at: a loop whose only memory access is a hook, and whose turns are counted.
#include <pthread.h>

int cells[64];

__attribute__((noinline)) void turns(int* to, unsigned n) {
  for (unsigned i = 0; i < n; i++) to[i * i % 64] = (int)i;
}

static void* other(void* unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  turns(cells, 64);
  pthread_join(thread, 0);
}
