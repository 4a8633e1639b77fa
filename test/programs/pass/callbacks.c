// Functions that the library calls for the program, with hooks or the runtime's own: nothing goes unseen.
// expect: verdict=verified
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int prepared, handled;

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
static void prepare(void) { prepared = 1; }
static void finish(void) { assert(prepared); }
static void handle(int number) { handled = number; }
__attribute__((destructor)) static void end(void) { assert(prepared && handled); }

static void* worker(void* argument) {
  int numbers[2] = {2, 1};
  void* root = 0;
  qsort(numbers, 2, sizeof *numbers, compare);
  assert(bsearch(&numbers[1], numbers, 2, sizeof *numbers, compare) == &numbers[1]);
  int* element = malloc(sizeof *element);
  *element = 5;
  tsearch(element, &root, compare);
  tdestroy(root, free);
  pthread_setspecific(key, malloc(1));
  pthread_once(&once, prepare);
  raise(SIGUSR1);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, free);
  signal(SIGUSR1, handle);
  atexit(finish);
  pthread_create(&thread, 0, worker, 0);
  pthread_once(&once, prepare);
  pthread_join(thread, 0);
  return 0;
}
