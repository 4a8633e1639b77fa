// expect: verdict=verified assumption="reads the clock"
// The loop does nothing but look at the clock, which moves by being looked at.
#include <time.h>

int main(void) {
  struct timespec now;
  do {
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_nsec < 20000 && now.tv_sec == 0);
  while (__builtin_ia32_rdtsc() < 100000) {
  }
  return 0;
}
