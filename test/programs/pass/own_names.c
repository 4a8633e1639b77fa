// expect: verdict=verified cflags=-fno-builtin sources=../parts/own_names.c naive
// Functions of the program's own by names of the C library's, called from another source file: what they do is what counts.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int send(int value);
int read(const char* text, void* nowhere, long bytes);
void pause(int* object);
void* memcpy(void* to, const void* from, size_t size);
int rand(void);
size_t strlen(const char* text);
int index(int low, int high);                    // numbers, where the library's takes a string
int warn(const void* nowhere, ...);              // no format
int vsscanf(int* nowhere, void* to, int* list);  // no format either, and no list

static void* worker(void* argument) {
  int mine = 0, copy = 7;
  pause(&mine);  // does not wait
  memcpy(&copy, &mine, sizeof copy);
  send(copy);
  read("", (void*)8, 100);
  rand();
  index(1, 2);
  warn((void*)8, 3);
  vsscanf((void*)8, (void*)16, (void*)24);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
  assert(send(0) == 5 && strlen("four") == 4);
  return 0;
}
