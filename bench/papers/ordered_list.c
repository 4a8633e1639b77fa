// The ordered list of R. Iosif, 2004, section 8 (i): an inserter and an extractor, which lock nodes hand over hand.
//
// -DL: how many keys; each is inserted once, and looked for once to be taken out. -DGLOBAL: a new node is allocated into a
// global variable, as in the paper's model. -DANY: keys are inserted in any order, so that it is a matter of the run which
// node lies where. Left out: nothing; the paper describes the model in one sentence.
#ifdef ANY
#include <inspect/inspect.h>
#endif
#include <pthread.h>
#include <stdlib.h>

#ifndef L
#define L 2
#endif

struct node {
  int key;
  pthread_mutex_t lock;
  struct node* next;
};
static struct node head = {0, PTHREAD_MUTEX_INITIALIZER, NULL};
#ifdef GLOBAL
static struct node* fresh;
#endif

// The first node with that key or a larger one, locked, and the one before it, locked.
static struct node* find(int key, struct node** before) {
  struct node* previous = &head;
  pthread_mutex_lock(&previous->lock);
  struct node* current = previous->next;
  while (current) {
    pthread_mutex_lock(&current->lock);
    if (current->key >= key) break;
    pthread_mutex_unlock(&previous->lock);
    previous = current;
    current = current->next;
  }
  *before = previous;
  return current;
}

static void* insert_all(void* unused) {
#ifdef ANY
  int left[L];
  for (int i = 0; i < L; i++) left[i] = i + 1;
#endif
  for (int step = 1; step <= L; step++) {
#ifdef ANY
    const unsigned next = inspect_nondet((unsigned)(L - step + 1));
    const int key = left[next];
    for (int i = (int)next; i + 1 < L; i++) left[i] = left[i + 1];
#else
    const int key = step;
#endif
    struct node *previous, *current = find(key, &previous);
    if (!current || current->key != key) {
      struct node* node;
#ifdef GLOBAL
      fresh = malloc(sizeof *node);
      node = fresh;
#else
      node = malloc(sizeof *node);
#endif
      node->key = key;
      node->next = current;
      pthread_mutex_init(&node->lock, NULL);
      previous->next = node;
    }
    pthread_mutex_unlock(&previous->lock);
    if (current) pthread_mutex_unlock(&current->lock);
  }
  return unused;
}

static void* extract_all(void* unused) {
  for (int key = 1; key <= L; key++) {
    struct node *previous, *current = find(key, &previous);
    const int found = current && current->key == key;
    if (found) previous->next = current->next;
    if (current) pthread_mutex_unlock(&current->lock);
    if (found) {
      pthread_mutex_destroy(&current->lock);
      free(current);
    }
    pthread_mutex_unlock(&previous->lock);
  }
  return unused;
}

int main(void) {
  pthread_t inserter, extractor;
  pthread_create(&inserter, NULL, insert_all, NULL);
  pthread_create(&extractor, NULL, extract_all, NULL);
  pthread_join(inserter, NULL);
  pthread_join(extractor, NULL);
  return 0;
}
