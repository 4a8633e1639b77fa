// expect: verdict=verified
// expect: cflags=-DNULLS verdict=bug text="BUG: memory-error"
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
struct node {
  struct node *next;
  char tag;
  long value;
} third = {0, 'c', 3}, second = {&third, 'b', 2}, first = {&second, 'a', 1};
static long twice(long x) { return 2 * x; }
static long thrice(long x) { return 3 * x; }
long (*f)(long) = twice;
struct node *head = &first;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *change(void *where) {
  pthread_mutex_lock(&m);
  ((struct node *)where)->value = 20;
  f = thrice;
  head = second.next;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, change, &second);
  pthread_mutex_lock(&m);
  long sum = 0;
  int steps = 0;
#ifdef NULLS
  for (struct node *n = head;; n = n->next) {
#else
  for (struct node *n = head; n; n = n->next) {
#endif
    sum += f(n->value);
    steps += n->tag == 'c';
  }
  pthread_mutex_unlock(&m);
  assert(steps == 1 && (sum == 12 || sum == 9));
  pthread_join(t, 0);
  return 0;
}
