// Modelled on aget's threads: WORKERS threads each download one segment of a file in PIECES pieces, and count what they have
// written under one lock; main joins them all. aget's signal thread and progress bar are left out. BUG 1: of the last piece the
// count is kept without the lock.
#include <pthread.h>
#include <stdlib.h>

#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef PIECES
#define PIECES 2
#endif
#ifndef BUG
#define BUG 0
#endif

struct segment {
  long begin, end;
};
static pthread_mutex_t written_lock = PTHREAD_MUTEX_INITIALIZER;
static long written;

static void* download(void* argument) {
  struct segment* segment = argument;
  long left = segment->end - segment->begin;
  free(segment);
  while (left > 0) {
    const long piece = left < 1024 ? left : 1024;
    left -= piece;
    if (!BUG || left) pthread_mutex_lock(&written_lock);
    written += piece;
    if (!BUG || left) pthread_mutex_unlock(&written_lock);
  }
  return 0;
}

int main(void) {
  pthread_t workers[WORKERS];
  for (long i = 0; i < WORKERS; i++) {
    struct segment* segment = malloc(sizeof *segment);
    segment->begin = i * PIECES * 1024;
    segment->end = (i + 1) * PIECES * 1024;
    pthread_create(&workers[i], 0, download, segment);
  }
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], 0);
  return 0;
}
