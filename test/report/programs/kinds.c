// One bug of each kind of memory, by number.
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum colour { red, green = 7 };
struct point {
  int x, y;
};
struct item {
  struct point at[3];
  enum colour colour;
  char letter;
  bool full;
  const char *name;
  struct item *next;
};
static struct item items[2];
static struct item *head;
static int *escaped;

static void *change(void *unused) {
  (void)unused;
  items[1].colour = green;
  items[1].letter = 'x';
  items[1].full = true;
  items[1].name = "a name that is rather long, too long";
  items[1].next = &items[0];
  items[1].at[2].y = 3;
  return NULL;
}
static void *release(void *unused) {
  free(head);
  return unused;
}
static void local(void) {
  int here = 4;
  escaped = &here;
  here = 5;
}
int main(int argc, char **argv) {
  (void)argv;
  if (argc == 2) {
    local();
    return *escaped;
  }
  pthread_t thread;
  head = malloc(sizeof(struct item));
  pthread_create(&thread, NULL, argc == 3 ? release : change, NULL);
  if (argc < 4) pthread_join(thread, NULL);
  if (argc == 3) head->next = NULL;
  const struct item *last = &items[1];
  return last->at[2].y + last->colour + last->letter + last->full + (last->name != NULL) + (last->next != NULL);
}
