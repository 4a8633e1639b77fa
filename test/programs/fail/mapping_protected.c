// expect: verdict=bug kind=data-race|crash
// expect: case=library verdict=bug kind=data-race|crash cflags=-DLIBRARY
// Memory is made read-only while another thread may still write it.
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

static char* memory;

static void* writer(void* unused) {
#ifdef LIBRARY
  memset(memory, 1, 4);
#else
  memory[10] = 1;
#endif
  return unused;
}

int main(void) {
  memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  mprotect(memory, 4096, PROT_READ);
  pthread_join(thread, NULL);
}
