// expect: verdict=verified executions(optimal)=6 options=--memory-limit=200M
// expect: case=all verdict=verified options=--visible=all\ --memory-limit=200M
// A static array is mostly zero pages that nothing touches: they cost nothing, and each execution finds what it was before main, whatever
// was written in others.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { MEGA = 1 << 20, PAGE = 4096 };
static char big[1024ul * MEGA] __attribute__((aligned(PAGE)));
static int small = 5;
static atomic_int turns;

__attribute__((constructor)) static void begin(void) {
  big[3 * MEGA] = 3;
  big[7 * MEGA] = 7;
}

static void* worker(void* argument) {
  const long n = (long)argument;
  big[(100 + n * 300) * MEGA + n] = (char)(atomic_fetch_add(&turns, 1) + 1);
  return NULL;
}

int main(void) {
  assert(small == 5 && big[0] == 0 && big[3 * MEGA] == 3 && big[7 * MEGA] == 7 && big[sizeof big - 1] == 0);
  for (long n = 0; n < 3; ++n) assert(big[(100 + n * 300) * MEGA + n] == 0);
  small = 6;
  big[0] = big[sizeof big - 1] = 1;
  big[3 * MEGA] = 4;
  big[7 * MEGA] = 0;
  memset(big + 9 * MEGA, 9, 3 * PAGE);
  pthread_t threads[3];
  for (long n = 0; n < 3; ++n) pthread_create(&threads[n], NULL, worker, (void*)n);
  for (int n = 0; n < 3; ++n) pthread_join(threads[n], NULL);
  int sum = 0;
  for (long n = 0; n < 3; ++n) sum += big[(100 + n * 300) * MEGA + n];
  assert(sum == 6);
  return 0;
}
