// expect: verdict=verified
// expect: cflags=-DSCALAR verdict=bug text="not initialised, and not zero: x at uninitialised.c:37"
// expect: cflags=-DELEMENT verdict=bug text="not initialised, and not zero: a at uninitialised.c:41"
// expect: cflags=-DLARGE verdict=bug text="not initialised, and not zero: large at uninitialised.c:45"
// expect: cflags=-DFIELD verdict=bug text="not initialised, and not zero: p at uninitialised.c:49"
// expect: cflags=-DHEAP verdict=bug text="not initialised, and not zero: a block of the heap at uninitialised.c:53"
// expect: cflags=-DAGAIN verdict=bug text="not initialised, and not zero: again at uninitialised.c:58"
// expect: cflags=-DBACK verdict=bug text="not initialised, and not zero: back at uninitialised.c:67"
// expect: cflags=-DSHARED verdict=bug text="not initialised, and not zero: shared at uninitialised.c:77"
// expect: cflags=-DPOINTER verdict=bug text="an access outside of every object at uninitialised.c:83"
// expect: cflags=-DSCALAR options=--zero-uninitialised verdict=verified
// expect: cflags=-DLARGE options=--zero-uninitialised verdict=verified
// expect: cflags=-DSHARED options=--zero-uninitialised verdict=verified
// expect: cflags=-DSCALAR options=--encoding=step verdict=bug text="not initialised, and not zero: x at uninitialised.c:37"
// Variables that nobody initialises hold anything, though the compiler is told to clear them.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdlib.h>
struct pair {
  char first;
  int second;
};
static int get(const int *at) { return *at; }
static void *look(void *at) {
  assert(*(int *)at != 42);
  return 0;
}
int main(void) {
  int set, always[3] = {1};
  if (__VERIFIER_nondet_int())
    set = 1;
  else
    set = 2;
  assert(set + always[2] + get(&always[1]) <= 2);
#if defined(SCALAR)
  int x;
  if (__VERIFIER_nondet_int() > 5) x = 3;
  assert(x != 42);
#elif defined(ELEMENT)
  int a[4];
  a[0] = 1;
  assert(get(&a[2]) != 42);
#elif defined(LARGE)
  int large[100];
  large[inspect_nondet(100)] = 1;
  assert(large[50] != 42);
#elif defined(FIELD)
  struct pair p;
  p.first = 1;
  assert(p.second != 42);
#elif defined(HEAP)
  int *block = malloc(8);
  block[0] = 1;
  assert(block[1] != 42);
#elif defined(AGAIN)
  for (int i = 0; i < 2; i++) {
    int again[100];
    if (i == 0)
      again[3] = 5;
    else
      assert(get(&again[3]) == 0 || get(&again[3]) == 5);
  }
#elif defined(BACK)
  int turn = 0;
begin:;
  int back[100];
  if (turn++ == 0) {
    back[3] = 42;
    get(&back[3]);
    goto begin;
  }
  assert(get(&back[3]) == 0 || get(&back[3]) == 42);
#elif defined(SHARED)
  pthread_t t;
  int unused = 1;
  int shared;
  pthread_create(&t, 0, look, __VERIFIER_nondet_int() ? &shared : &unused);
  pthread_join(t, 0);
  shared = 1;
#elif defined(POINTER)
  int *to;
  *to = 1;
#endif
  return 0;
}
