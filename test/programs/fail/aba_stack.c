// expect: verdict=bug kind=assertion
// expect: case=sampled verdict=bug kind=assertion algorithms=random,pct options=--seed=1
// A lock-free stack over a pool of nodes. Between reading the top and exchanging it, the other thread pops two nodes and
// pushes the first back: the exchange succeeds and the stack's top is a node that is in use.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { NODES = 3, EMPTY = -1 };
static atomic_int top = 0;
static atomic_int next[NODES] = {1, 2, EMPTY};
static atomic_int owned[NODES];

static int pop(void) {
  for (;;) {
    int node = atomic_load(&top);
    if (node == EMPTY) return EMPTY;
    const int after = atomic_load(&next[node]);
    if (atomic_compare_exchange_strong(&top, &node, after)) {
      assert(atomic_exchange(&owned[node], 1) == 0); /* ERROR */
      return node;
    }
  }
}

static void push(int node) {
  atomic_store(&owned[node], 0);
  int old = atomic_load(&top);
  do {
    atomic_store(&next[node], old);
  } while (!atomic_compare_exchange_strong(&top, &old, node));
}

static void* popper(void* unused) {
  pop();
  pop();
  return NULL;
}

static void* recycler(void* unused) {
  const int first = pop();
  pop();
  if (first != EMPTY) push(first);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, popper, NULL);
  pthread_create(&b, NULL, recycler, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
