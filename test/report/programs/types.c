// An object of the heap that is used after its end, by number: whose type is that of the variable that it is kept in, if it fits.
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};
struct list {
  int length;
  struct node *first;
};
typedef struct {
  long key, count;
} entry;
struct larger {
  struct node node;
  long more[2];
};
static struct node *head;
static struct list lists[2];

static struct node *made(int value) {
  struct node *n;
  if (!(n = malloc(sizeof *n))) return NULL;
  n->value = value;
  return n;
}

int main(int argc, char **argv) {
  (void)argv;
  switch (argc) {
    case 1:
      head = malloc(sizeof *head);
      free(head);
      return head->value;
    case 2: {
      struct list *l = &lists[1];
      l->first = calloc(1, sizeof *l->first);
      free(l->first);
      return l->first->value;
    }
    case 3: {
      struct node *n = made(3);
      free(n);
      return n->value;
    }
    case 4: {
      entry *entries = malloc((unsigned)argc * sizeof(entry));
      free(entries);
      return (int)entries[2].count;
    }
    case 5: {  // twice as large, and one structure all the same
      struct node *n = malloc(sizeof(struct larger));
      free(n);
      return n->value;
    }
    case 6: {  // was: malloc(sizeof(struct node))
      void *any = malloc(24);
      free(any);
      return *(int *)any;
    }
  }
}
