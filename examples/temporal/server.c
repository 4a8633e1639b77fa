// A server that never ends: one thread takes requests from a slot and answers them, another asks again and again, a third shows
// that the process lives.
//
//   inspect check --engine=explicit --ltl='G (asked -> F answered)' --fairness=weak examples/temporal/server.c
//
// holds: whoever asks gets an answer. Without --fairness=weak the scheduler may run the third thread alone for ever. With
// --cflags=-DIMPATIENT the client asks anew before it has its answer, and the server misses a request now and then.
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int beat;
static int slot;  // 0: empty; else the number of the request

static void* serve(void* unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!slot) pthread_cond_wait(&changed, &lock);
    inspect_proposition("answered", slot == 1);
    slot = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* show_life(void* unused) {
  for (;;) atomic_fetch_xor(&beat, 1);
  return unused;
}

// Requests 1 and 2 in turns; the formula speaks of request 1.
static void ask(int request) {
  pthread_mutex_lock(&lock);
#ifndef IMPATIENT
  while (slot) pthread_cond_wait(&changed, &lock);
#endif
  slot = request;
  inspect_proposition("asked", request == 1);
  if (request == 1) inspect_proposition("answered", 0);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t server, heart;
  pthread_create(&server, 0, serve, 0);
  pthread_create(&heart, 0, show_life, 0);
  for (;;) {
    ask(1);
    ask(2);
  }
}
