// expect: verdict=verified
// expect: case=early cflags=-DEARLY verdict=bug kind=memory-error
// expect: case=lost cflags=-DLOST verdict=bug kind=assertion
// Two threads push blocks with free values onto a list, main takes them off. Broken: a block is freed before it is read, a block is
// pushed without a look at what was pushed meanwhile.
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
static int pushed[2];
static void *run(void *at) {
  struct node *n = malloc(sizeof *n);
  n->value = *(int *)at;
  pthread_mutex_lock(&m);
  n->next = top;
#ifdef LOST
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
#endif
  top = n;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) {
    pushed[i] = __VERIFIER_nondet_int();
    __VERIFIER_assume(pushed[i] > -1000 && pushed[i] < 1000);
    pthread_create(&t[i], 0, run, &pushed[i]);
  }
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  int sum = 0, count = 0;
  while (top) {
    struct node *n = top;
    top = n->next;
    count++;
#ifdef EARLY
    if (n->value == 77) free(n);
#endif
    sum += n->value;
    free(n);
  }
  assert(count == 2 && sum == pushed[0] + pushed[1]);
  return 0;
}
