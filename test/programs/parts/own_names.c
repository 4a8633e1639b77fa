// Part of pass/own_names.c.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sent, seed;

int send(int value) {
  pthread_mutex_lock(&mutex);
  const int count = ++sent;
  pthread_mutex_unlock(&mutex);
  return value ? count : sent;
}
int read(const char* text, void* nowhere, long bytes) { return text && nowhere && bytes == 100 ? send(1) : 0; }
void pause(int* object) { *object = 5; }
void* memcpy(void* to, const void* from, size_t size) {
  for (size_t i = 0; i < size; ++i) ((volatile char*)to)[i] = ((const volatile char*)from)[i];
  return to;
}
int rand(void) {
  pthread_mutex_lock(&mutex);
  const int value = ++seed;
  pthread_mutex_unlock(&mutex);
  return value;
}
int index(int low, int high) { return low + high; }
int warn(const void* nowhere, ...) { return nowhere != NULL; }
int vsscanf(int* nowhere, void* to, int* list) { return nowhere && to && list; }
size_t strlen(const char* text) {
  size_t n = 0;
  while (((const volatile char*)text)[n]) ++n;
  return n;
}
