// expect: verdict=verified
// The top carries a version beside the node: a node that came back is not taken for one that never left.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { NODES = 3, EMPTY = 0xffff };
static atomic_uint top = 0;  // version << 16 | node
static atomic_int next[NODES] = {1, 2, EMPTY};
static atomic_int owned[NODES];

static unsigned replace(unsigned old, int node) { return ((old >> 16) + 1) << 16 | (unsigned)node; }

static int pop(void) {
  for (;;) {
    unsigned old = atomic_load(&top);
    const int node = old & 0xffff;
    if (node == EMPTY) return EMPTY;
    const int after = atomic_load(&next[node]);
    if (atomic_compare_exchange_strong(&top, &old, replace(old, after))) {
      assert(atomic_exchange(&owned[node], 1) == 0);
      return node;
    }
  }
}

static void push(int node) {
  atomic_store(&owned[node], 0);
  unsigned old = atomic_load(&top);
  do {
    atomic_store(&next[node], (int)(old & 0xffff));
  } while (!atomic_compare_exchange_strong(&top, &old, replace(old, node)));
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
