// expect: verdict=verified cflags=-fno-builtin naive
// expect: case=unoptimised verdict=verified cflags='-fno-builtin -O0'
// malloc and its family are the program's own, under a lock of its own; the C library allocates through them too.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char pool[1 << 18];
static size_t used;
static int blocks;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void* malloc(size_t size) {
  pthread_mutex_lock(&mutex);
  void* const p = pool + used;
  used += (size + 15) & ~(size_t)15;
  ++blocks;
  pthread_mutex_unlock(&mutex);
  return p;
}
void free(void* p) {
  if (!p) return;
  pthread_mutex_lock(&mutex);
  --blocks;
  pthread_mutex_unlock(&mutex);
}
void* calloc(size_t count, size_t size) { return memset(malloc(count * size), 0, count * size); }
void* realloc(void* old, size_t size) {
  void* const p = malloc(size);
  if (old) memcpy(p, old, size);
  free(old);
  return p;
}

static void* worker(void* argument) {
  char* const text = strdup(argument);
  text[0] = '!';
  free(text);
  return argument;
}

int main(void) {
  const int before = blocks;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, "one");
  worker("two");
  pthread_join(thread, NULL);
  assert(blocks == before);
  return 0;
}
