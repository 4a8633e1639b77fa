// Changes memory in every way there is: stores and copies far apart, the heap, results of calls, library functions with and
// without hooks, calls through pointers. The hash of memory that is kept must be that of all memory, in every state.
#include <ctype.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES 40000  // more than a page for each, more than one is marked at once for all

struct node {
  struct node* next;
  int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t sem;
static pthread_key_t key;
static int table[ENTRIES], copies[ENTRIES], value, old_state;
static char text[3][200], *list_of_words;
static struct node* nodes;
static _Atomic int counter;
static __attribute__((aligned(64))) int sorted[64];

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
static void prepare(void) { table[777] = 5; }
static void fill(int n) { memset(table + 5000 * (n + 1), n + 1, 9000); }
static void (*volatile way)(int) = fill;

static void use_heap(int n) {
  struct node *x = malloc(sizeof *x), *y = calloc(3, sizeof *y);
  char* word = strdup(n ? "one" : "another word that is longer than a line of memory is, which has sixty-four bytes");
  int* big = malloc(100000);
  big[20000 + n] = n + 1;
  x->value = n;
  y[2].value = 7;
  pthread_mutex_lock(&lock);
  x->next = nodes;
  nodes = x;
  pthread_mutex_unlock(&lock);
  word = realloc(word, 300);
  strcat(word, "!");
  pthread_mutex_lock(&lock);
  list_of_words = word;
  pthread_mutex_unlock(&lock);
  free(big);
  free(y);
}

static void* work(void* argument) {
  const int n = (int)(long)argument;
  pthread_once(&once, prepare);
  pthread_setspecific(key, text[n]);
  pthread_mutex_lock(&lock);
  table[20000 * n + 15] += n + 1;
  memcpy(copies + 1000 * n, table, 5000);
  value = value * 2 + n;
  pthread_mutex_unlock(&lock);
  snprintf(text[n], sizeof text[n], "thread %d of %s", n, "two");
  for (char* c = text[n]; *c; c++) *c = (char)toupper((unsigned char)*c);
  atomic_fetch_add(&counter, n + 1);
  use_heap(n);
  pthread_mutex_lock(&lock);
  table[30000] = table[30001] = n;
  way(n);
  for (int i = 0; i < 64; i++) sorted[i] = (i * 37 + n) % 64;
  qsort(sorted, 64, sizeof *sorted, compare);
  pthread_mutex_unlock(&lock);
  sem_post(&sem);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  void* results[2];
  pthread_key_create(&key, NULL);
  sem_init(&sem, 0, 0);
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void*)i);
  sem_wait(&sem);
  sem_getvalue(&sem, &copies[39000]);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old_state);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], &results[i]);
  memmove(table + 1, table, sizeof table - sizeof *table);
  atomic_fetch_add(&counter, rand() % 2);
  while (nodes) {
    struct node* x = nodes;
    nodes = x->next;
    pthread_mutex_lock(&lock);
    free(x);
    pthread_mutex_unlock(&lock);
  }
  strtok(text[0], " ");
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return results[0] != NULL;
}
