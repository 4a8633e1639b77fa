// expect: case=find verdict=bug kind=data-race cflags=-DCALL=tfind algorithms=optimal
// expect: case=search verdict=bug kind=data-race cflags=-DCALL=tsearch algorithms=optimal
// expect: case=delete verdict=bug kind=data-race|memory-error cflags=-DCALL=tdelete algorithms=optimal
// A search in a tree reads the keys of its nodes.
#include <pthread.h>
#include <search.h>
#include <stddef.h>

static int numbers[] = {1, 2, 3};
static void* root;
static const void** node;

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void* worker(void* unused) {
  *node = &numbers[2]; /* ERROR */
  return unused;
}

int main(void) {
  pthread_t thread;
  tsearch(&numbers[0], &root, compare);
  node = tsearch(&numbers[1], &root, compare);
  pthread_create(&thread, NULL, worker, NULL);
  CALL(&numbers[1], &root, compare); /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
