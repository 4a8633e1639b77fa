// Modelled on bzip2smp's threads: workers take the next block of the input under one lock, compress it, and hand the results
// over in the order of the input, under another lock with a condition. WORKERS threads besides main, BLOCKS blocks.
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif

static pthread_mutex_t input = PTHREAD_MUTEX_INITIALIZER, output = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t written = PTHREAD_COND_INITIALIZER;
static int next_block, next_output, total;

static int compress(int block) {
  int result = block;
  for (int i = 0; i < 8; i++) result = result * 31 + i;
  return result;
}

static void* work(void* unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&input);
    const int block = next_block < BLOCKS ? next_block++ : -1;
    pthread_mutex_unlock(&input);
    if (block < 0) return 0;
    const int result = compress(block);
    pthread_mutex_lock(&output);
    while (next_output != block) pthread_cond_wait(&written, &output);
    total += result;
    next_output++;
    pthread_cond_broadcast(&written);
    pthread_mutex_unlock(&output);
  }
}

int main(void) {
  pthread_t workers[WORKERS];
  for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], 0, work, 0);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], 0);
  return 0;
}
