// The concurrent B-tree* of R. Iosif, 2004, section 8 (ii): -DN updaters insert into one tree of order -DK until it would be
// deeper than -DD. They lock nodes on their way down, and give ancestors back as soon as a node cannot be split (R. Bayer and
// M. Schkolnick, 1977). Which child is taken is any. Keys are left out: what is inserted is a count, as the paper's model is
// not given.
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif
#ifndef K
#define K 2
#endif
#ifndef D
#define D 2
#endif

struct node {
  pthread_mutex_t lock;
  int count, leaf;
  struct node* children[K + 1];
};
static pthread_mutex_t anchor = PTHREAD_MUTEX_INITIALIZER;  // of root and depth
static struct node* root;
static int depth = 1;

static struct node* make(int leaf) {
  struct node* node = calloc(1, sizeof *node);
  pthread_mutex_init(&node->lock, NULL);
  node->leaf = leaf;
  return node;
}

// The upper half of a node that has one too many.
static struct node* split(struct node* node) {
  struct node* right = make(node->leaf);
  const int left = (K + 1) - (K + 1) / 2;
  for (int i = left; i <= K; i++) {
    right->children[i - left] = node->children[i];
    node->children[i] = NULL;
  }
  right->count = (K + 1) / 2;
  node->count = left;
  return right;
}

// The nodes that the updater holds, from the topmost on, and which child leads to the next; whether it holds the anchor.
struct path {
  struct node* nodes[D + 1];
  int children[D + 1], length, anchored;
};

static void release_above(struct path* path) {
  if (path->anchored) pthread_mutex_unlock(&anchor);
  path->anchored = 0;
  for (int i = 0; i + 1 < path->length; i++) pthread_mutex_unlock(&path->nodes[i]->lock);
  if (path->length) path->nodes[0] = path->nodes[path->length - 1];
  if (path->length) path->length = 1;
}

static void release(struct path* path) {
  if (path->anchored) pthread_mutex_unlock(&anchor);
  for (int i = 0; i < path->length; i++) pthread_mutex_unlock(&path->nodes[i]->lock);
  path->anchored = path->length = 0;
}

// 0: the tree is full there.
static int insert(void) {
  struct path path = {.anchored = 1};
  pthread_mutex_lock(&anchor);
  struct node* node = root;
  for (;;) {
    pthread_mutex_lock(&node->lock);
    path.nodes[path.length++] = node;
    if (node->count < K) release_above(&path);
    if (node->leaf) break;
    const int child = (int)inspect_nondet((unsigned)node->count);
    path.children[path.length - 1] = child;
    node = node->children[child];
  }
  if (path.anchored && depth == D) {
    release(&path);
    return 0;
  }
  int at = path.length - 1;
  node->count++;
  while (node->count > K) {
    struct node* right = split(node);
    if (at == 0) {
      struct node* above = make(0);
      above->count = 2;
      above->children[0] = node;
      above->children[1] = right;
      root = above;
      depth++;
      break;
    }
    struct node* above = path.nodes[--at];
    for (int i = above->count; i > path.children[at] + 1; i--) above->children[i] = above->children[i - 1];
    above->children[path.children[at] + 1] = right;
    above->count++;
    node = above;
  }
  release(&path);
  return 1;
}

static void* update(void* unused) {
  while (insert()) {
  }
  return unused;
}

int main(void) {
  pthread_t updaters[N];
  root = make(1);
  for (int i = 0; i < N; i++) pthread_create(&updaters[i], NULL, update, NULL);
  for (int i = 0; i < N; i++) pthread_join(updaters[i], NULL);
  return 0;
}
