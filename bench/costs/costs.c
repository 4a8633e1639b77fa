// RUNS executions, one for each value of a choice; each does COUNT times what one macro says. The difference between two values
// of COUNT is the cost of one.
#include <inspect/inspect.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef RUNS
#define RUNS 2000
#endif
#ifndef COUNT
#define COUNT 0
#endif
static int cells[64];
static atomic_int x;
static sem_t ping, pong;
static volatile int which;
#ifndef TABLE
#define TABLE 16  // words
#endif
#ifndef NODES
#define NODES 0
#endif
static volatile int table[TABLE];
static struct node {
  struct node* next;
  int value;
}* volatile nodes;

// Three functions with thirty words that are used again behind each step: what a state is made of.
static __attribute__((noinline)) int inner(int a, int b, int c, int d, int e) {
  int v = a + 1, w = b + 2, u = c + 3, t = d + 4, s = e + 5;
  for (int i = 0; i < COUNT; i++) {
    table[(unsigned)i * 8192 % TABLE] = i;
    atomic_store(&x, i);
  }
  return a + b + c + d + e + v * w * u * t * s;
}
static __attribute__((noinline)) int middle(int a, int b, int c, int d, int e) {
  int v = a * 2, w = b * 3, u = c * 4, t = d * 5, s = e * 6;
  return inner(a, b, c, d, e) + v * w * u * t * s + a * b * c * d * e;
}
static __attribute__((noinline)) int outer(int a, int b, int c, int d, int e) {
  int v = a - 2, w = b - 3, u = c - 4, t = d - 5, s = e - 6;
  return middle(a, b, c, d, e) + v * w * u * t * s + a * b * c * d * e;
}

static void* other(void* unused) {
#ifdef SWITCH
  for (int i = 0; i < COUNT; i++) {
    sem_wait(&ping);
    sem_post(&pong);
  }
#endif
  return NULL;
}

int main(void) {
  pthread_t thread;
  which = (int)inspect_nondet(RUNS);
#ifdef STATES
  for (int i = 0; i < TABLE; i++) table[i] = i + 1;
  for (int i = 0; i < NODES; i++) {
    struct node* n = malloc(sizeof *n);
    n->value = i;
    n->next = nodes;
    nodes = n;
  }
#endif
  pthread_create(&thread, NULL, other, NULL);
#ifdef STATES
  which += outer(which, 1, 2, 3, 4) & 1;
#endif
#ifdef HOOK
  for (int i = 0; i < COUNT; i++) ((volatile int*)cells)[i % 64] = i;
#endif
#ifdef STEP
  for (int i = 0; i < COUNT; i++) atomic_store(&x, i);
#endif
#ifdef SWITCH
  for (int i = 0; i < COUNT; i++) {
    sem_post(&ping);
    sem_wait(&pong);
  }
#endif
  pthread_join(thread, NULL);
  return 0;
}
