// Modelled on bzip2smp's threads. main reads blocks into a ring, while there is room (one lock, two conditions); WORKERS
// threads each take the next one, and reserve its place in the ring of results, under a lock around both rings' locks, compress
// it, make room in the first ring, and put the result into the second; a writer takes the results in order (one lock, two
// conditions). All signals are sent under the lock, as there. Other than there, waits are loops, the writer looks at the ring
// under its lock only, and the workers and the writer end with the input, so that main can join them. BLOCKS blocks, rings of
// RING places.
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
#define RING 2

static pthread_mutex_t taking = PTHREAD_MUTEX_INITIALIZER, in = PTHREAD_MUTEX_INITIALIZER, out = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t in_available = PTHREAD_COND_INITIALIZER, in_free = PTHREAD_COND_INITIALIZER,
                      out_available = PTHREAD_COND_INITIALIZER, out_flush = PTHREAD_COND_INITIALIZER;
static int blocks[RING], read_in, taken, room = RING, closed;
static int results[RING], ready[RING], reserved, written, total;

static int compress(int block) {
  int result = block;
  for (int i = 0; i < 8; i++) result = result * 31 + i;
  return result;
}

static int take(int* block, int* place) {
  pthread_mutex_lock(&taking);
  pthread_mutex_lock(&in);
  while (taken == read_in && !closed) pthread_cond_wait(&in_available, &in);
  const int got = taken < read_in;
  if (got) *block = blocks[taken++ % RING];
  pthread_mutex_unlock(&in);
  if (got) {
    pthread_mutex_lock(&out);
    while (reserved - written == RING) pthread_cond_wait(&out_available, &out);
    *place = reserved++ % RING;
    pthread_mutex_unlock(&out);
  }
  pthread_mutex_unlock(&taking);
  return got;
}

static void* work(void* unused) {
  (void)unused;
  int block = 0, place = 0;
  while (take(&block, &place)) {
    const int result = compress(block);
    pthread_mutex_lock(&in);
    room++;
    pthread_cond_signal(&in_free);
    pthread_mutex_unlock(&in);
    pthread_mutex_lock(&out);
    results[place] = result;
    ready[place] = 1;
    if (place == written % RING) pthread_cond_signal(&out_flush);
    pthread_mutex_unlock(&out);
  }
  return 0;
}

static void* write_out(void* unused) {
  (void)unused;
  pthread_mutex_lock(&out);
  for (int i = 0; i < BLOCKS; i++) {
    while (!ready[i % RING]) pthread_cond_wait(&out_flush, &out);
    ready[i % RING] = 0;
    const int result = results[i % RING];
    pthread_mutex_unlock(&out);
    total += result;
    pthread_mutex_lock(&out);
    written++;
    pthread_cond_signal(&out_available);
  }
  pthread_mutex_unlock(&out);
  return 0;
}

int main(void) {
  pthread_t workers[WORKERS], writer;
  for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], 0, work, 0);
  pthread_create(&writer, 0, write_out, 0);
  for (int i = 0; i < BLOCKS; i++) {
    pthread_mutex_lock(&in);
    while (!room) pthread_cond_wait(&in_free, &in);
    blocks[read_in % RING] = i;
    pthread_mutex_unlock(&in);
    pthread_mutex_lock(&in);
    read_in++;
    room--;
    pthread_cond_signal(&in_available);
    pthread_mutex_unlock(&in);
  }
  pthread_mutex_lock(&in);
  closed = 1;
  pthread_cond_broadcast(&in_available);
  pthread_mutex_unlock(&in);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], 0);
  pthread_join(writer, 0);
  return 0;
}
