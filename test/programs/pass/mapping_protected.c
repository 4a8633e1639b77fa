// expect: verdict=verified naive
// Whoever only reads need not care whether memory is made read-only meanwhile.
#include <pthread.h>
#include <sys/mman.h>

static char* memory;

static void* reader(void* unused) { return memory[10] ? NULL : unused; }

int main(void) {
  memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memory[10] = 1;
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  mprotect(memory, 4096, PROT_READ);
  pthread_join(thread, NULL);
  mprotect(memory, 4096, PROT_READ | PROT_WRITE);
  memory[10] = 2;
}
