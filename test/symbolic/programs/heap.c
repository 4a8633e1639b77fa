// Blocks of the heap: each call that allocates makes one, free ends it.
// expect: verdict=verified text="malloc does not fail; freed addresses are not reused"
// expect: options=--encoding=step verdict=verified
// expect: cflags=-DTWICE verdict=bug text="BUG: memory-error: a second free of a block of the heap at heap.c:79"
// expect: cflags=-DAFTER verdict=bug text="BUG: memory-error: an access outside of every object at heap.c:81"
// expect: cflags=-DINSIDE verdict=bug text="a free of something else than a block of the heap at heap.c:83"
// expect: cflags=-DLOCAL verdict=bug text="a free of something else than a block of the heap at heap.c:85"
// expect: cflags=-DBEYOND verdict=bug text="an access outside of every object at heap.c:87"
// expect: cflags=-DEARLY verdict=bug text="BUG: memory-error: an access outside of every object"
// expect: cflags=-DEARLY options=--encoding=step verdict=bug text="BUG: memory-error"
// expect: cflags=-DFRESH verdict=bug text="BUG: assertion"
// expect: cflags=-DUNKNOWN verdict=unsupported text="a block of the heap whose size is not known"
// expect: cflags=-DPARTS verdict=unsupported text="an access to something else than one whole scalar"
// expect: cflags=-DAGAIN verdict=unsupported text="a call to realloc"
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdlib.h>
struct node {
  int value;
  struct node *next;
};
static struct node *top;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void push(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  pthread_mutex_lock(&m);
  n->next = top;
  top = n;
  pthread_mutex_unlock(&m);
}
static int pop(void) {
  pthread_mutex_lock(&m);
  struct node *n = top;
  if (n) top = n->next;
  pthread_mutex_unlock(&m);
  if (!n) return 0;
#ifdef EARLY
  free(n);
  return n->value;
#else
  const int value = n->value;
  free(n);
  return value;
#endif
}
static int *numbers;
static void *run(void *unused) {
  push(1);
  pthread_mutex_lock(&m);
  numbers[2]++;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  numbers = calloc(4, sizeof *numbers);
  unsigned i = inspect_nondet(4);
  assert(numbers[i] == 0);
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  push(2);
  pthread_mutex_lock(&m);
  numbers[i] += 4;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  int sum = pop() + pop() + pop();
  assert(sum == 3 && !top);
  assert(numbers[2] == (i == 2 ? 5 : 1));
  struct node *mine = malloc(sizeof *mine);
#ifndef FRESH
  mine->value = 1;
#endif
  assert(mine->value == 1);
  free(0);
#if defined(UNKNOWN)
  mine = malloc(i + 1);
#elif defined(TWICE)
  free(mine), free(mine);
#elif defined(AFTER)
  free(mine), mine->value = 3;
#elif defined(INSIDE)
  free(&mine->next);
#elif defined(LOCAL)
  free(&i);
#elif defined(BEYOND)
  numbers[4] = 1;
#elif defined(PARTS)
  *(short *)mine = 1;
#elif defined(AGAIN)
  mine = realloc(mine, 32);
#else
  free(mine);
  free(numbers);
#endif
  return 0;
}
