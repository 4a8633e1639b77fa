// expect: verdict=bug kind=crash|data-race|memory-error
// Unmapping while another thread still writes.
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static char* memory;

static void* writer(void* unused) {
  memory[0] = 1;
  return unused;
}

int main(void) {
  memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  munmap(memory, 4096);
  pthread_join(thread, NULL);
  return 0;
}
