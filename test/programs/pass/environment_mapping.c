// expect: verdict=verified
// Mapped memory is fresh in every execution and is shared by threads like any other.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int* shared;

static void* worker(void* unused) {
  shared[1000] = 2;
  return unused;
}

int main(void) {
  shared = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(shared != MAP_FAILED && shared[0] == 0 && shared[1000] == 0);
  shared[0] = 1;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  assert(shared[0] == 1 && shared[1000] == 2);
  assert(munmap(shared, 8192) == 0);
  const int fd = open("/proc/self/exe", O_RDONLY);
  const char* image = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
  assert(image != MAP_FAILED && image[1] == 'E' && image[2] == 'L');
  return 0;
}
