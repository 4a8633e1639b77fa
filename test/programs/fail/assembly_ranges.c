// Instructions that touch ranges and lanes, the clock of the processor, and what cannot be run: none of them is verified unseen.
// expect: case=moved verdict=bug kind=data-race cflags=-DMOVED
// expect: case=masked verdict=bug kind=data-race cflags="-mavx -DMASKED"
// expect: case=clock verdict=inconclusive cflags=-DCLOCK assumption="time stamp"
// expect: case=loop verdict=unsupported cflags=-DLOOP
// expect: case=call verdict=unsupported cflags=-DCALL
// expect: case=lane verdict=verified cflags="-mavx -DLANE"
#include <pthread.h>
#if defined MASKED || defined LANE
#include <immintrin.h>
#endif

static float values[8];
static char bytes[8];
static int flag;

static void* worker(void* argument) {
#if defined MOVED
  void* to = bytes;
  const void* from = "abcdefg";
  unsigned long count = sizeof bytes;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
#elif defined MASKED
  _mm256_maskstore_ps(values, _mm256_set1_epi32(-1), _mm256_set1_ps(1));
#elif defined LANE
  _mm256_maskstore_ps(values, _mm256_setr_epi32(-1, -1, -1, 0, -1, -1, -1, -1), _mm256_set1_ps(1));
#elif defined CLOCK
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
#elif defined LOOP
  __asm__ volatile("1: cvtsi2ssl %0, %%xmm0; cvttss2si %%xmm0, %%eax; test %%eax, %%eax; jz 1b" : : "m"(flag) : "eax", "xmm0", "memory");
#elif defined CALL
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "0"(39) : "rcx", "r11", "memory");
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  const int seen = bytes[2] + (values[3] > 2);
  pthread_join(thread, 0);
  return seen > 300;
}
