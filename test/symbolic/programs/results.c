// What a thread returns goes to who joins it.
// expect: verdict=verified
// expect: options=--encoding=step verdict=verified
// expect: cflags=-DWRONG verdict=bug text="BUG: assertion"
// expect: cflags=-DSHARED options=--no-races verdict=unsupported text="a join that stores the result where other threads can see it"
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdlib.h>
static int numbers[2];
static void *shared;
static void *pick(void *which) { return &numbers[(long)which]; }
static void *count(void *from) {
  if ((long)from > 2) pthread_exit((void *)7L);
  return (void *)((long)from + 1);
}
static void *make(void *unused) {
  int *made = malloc(sizeof *made);
  *made = 5;
  return made;
}
#ifdef SHARED
static void *look(void *unused) { return shared ? 0 : unused; }
#endif
int main(void) {
  pthread_t a, b, c;
  const long from = __VERIFIER_nondet_long();
  __VERIFIER_assume(from >= 0 && from < 5);
  pthread_create(&a, 0, pick, (void *)1L);
  pthread_create(&b, 0, count, (void *)from);
  pthread_create(&c, 0, make, 0);
#ifdef SHARED
  pthread_t d;
  pthread_create(&d, 0, look, 0);
  pthread_join(c, &shared);
#endif
  void *from_a, *from_b, *from_c;
  pthread_join(a, &from_a);
  pthread_join(b, &from_b);
#ifndef SHARED
  pthread_join(c, &from_c);
  assert(*(int *)from_c == 5);
  free(from_c);
#endif
  *(int *)from_a = 3;
  assert(numbers[1] == 3 && numbers[0] == 0);
#ifdef WRONG
  assert((long)from_b == from + 1);
#else
  assert((long)from_b == (from > 2 ? 7 : from + 1));
#endif
  return 0;
}
