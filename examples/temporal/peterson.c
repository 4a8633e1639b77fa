// Peterson's algorithm: two threads enter a critical section by turns, with nothing but loads and stores.
//
//   inspect check --engine=explicit --ltl='G !(critical0 && critical1)' examples/temporal/peterson.c
//   inspect check --engine=explicit --ltl='G (waiting0 -> F critical0)' --fairness=weak examples/temporal/peterson.c
//
// Both hold. With --cflags=-DPOLITE, where nobody insists on a turn, each thread may wait for the other for ever: the second
// formula does not hold, however fair the scheduler is.
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void enter(int me) {
  const int other = 1 - me;
#ifdef POLITE
  for (;;) {
    atomic_store(&wants[me], 1);
    if (!atomic_load(&wants[other])) return;
    atomic_store(&wants[me], 0);  // after you
  }
#else
  atomic_store(&wants[me], 1);
  atomic_store(&turn, other);
  while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
  }
#endif
}

static void* thread0(void* unused) {
  for (;;) {
    inspect_proposition("waiting0", 1);
    enter(0);
    inspect_proposition("waiting0", 0);
    inspect_proposition("critical0", 1);
    atomic_store(&inside, 0);  // what is done in there
    inspect_proposition("critical0", 0);
    atomic_store(&wants[0], 0);
  }
  return unused;
}

static void* thread1(void* unused) {
  for (;;) {
    enter(1);
    inspect_proposition("critical1", 1);
    atomic_store(&inside, 1);
    inspect_proposition("critical1", 0);
    atomic_store(&wants[1], 0);
  }
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, thread1, 0);
  thread0(0);
}
