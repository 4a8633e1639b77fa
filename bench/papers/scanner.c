// Modelled on pfscan's threads, which nobody joins: main puts paths into a bounded queue (one lock, two conditions, a closed
// flag), WORKERS threads take them, scan, count a match under a lock, and print it under another; the last to end wakes main.
// Signals are sent after the unlock, as there. FILES paths. BUG 1: the count of matches is kept without the lock; 2: main and
// the workers take two locks in different orders. Where the papers planted their bugs they do not say.
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef FILES
#define FILES 2
#endif
#ifndef BUG
#define BUG 0
#endif
#define SIZE 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, matches_lock = PTHREAD_MUTEX_INITIALIZER,
                       print = PTHREAD_MUTEX_INITIALIZER, active_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, less = PTHREAD_COND_INITIALIZER, ended = PTHREAD_COND_INITIALIZER;
static int queue[SIZE], count, head, tail, closed, active, matches, printed;

static void put(int path) {
  pthread_mutex_lock(&lock);
  while (count == SIZE) pthread_cond_wait(&less, &lock);
  queue[tail] = path;
  tail = (tail + 1) % SIZE;
  count++;
  pthread_mutex_unlock(&lock);
  pthread_cond_signal(&more);
}

static int get(int* path) {
  pthread_mutex_lock(&lock);
  while (count == 0 && !closed) pthread_cond_wait(&more, &lock);
  const int got = count > 0;
  if (got) {
    *path = queue[head];
    head = (head + 1) % SIZE;
    count--;
  }
  pthread_mutex_unlock(&lock);
  if (got) pthread_cond_signal(&less);
  return got;
}

static void finish(void) {
  pthread_mutex_lock(&lock);
  closed = 1;
  pthread_mutex_unlock(&lock);
  pthread_cond_broadcast(&more);
}

static void* work(void* unused) {
  (void)unused;
  int path;
  while (get(&path)) {
    if (path % 2) continue;
    if (BUG != 1) pthread_mutex_lock(&matches_lock);
    matches++;
    if (BUG != 1) pthread_mutex_unlock(&matches_lock);
    pthread_mutex_lock(&print);
    printed = path;
    pthread_mutex_unlock(&print);
  }
  if (BUG == 2) pthread_mutex_lock(&print);
  pthread_mutex_lock(&active_lock);
  active--;
  pthread_mutex_unlock(&active_lock);
  pthread_cond_signal(&ended);
  if (BUG == 2) pthread_mutex_unlock(&print);
  return 0;
}

int main(void) {
  pthread_t worker;
  active = WORKERS;
  for (int i = 0; i < WORKERS; i++) pthread_create(&worker, 0, work, 0);
  for (int i = 0; i < FILES; i++) put(i);
  finish();
  pthread_mutex_lock(&active_lock);
  if (BUG == 2) pthread_mutex_lock(&print);
  if (BUG == 2) pthread_mutex_unlock(&print);
  while (active > 0) pthread_cond_wait(&ended, &active_lock);
  pthread_mutex_unlock(&active_lock);
  return 0;
}
