// A pipe of one page takes what fits behind what it holds; one that was read empty begins anew.
//
// expect: verdict=verified
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/uio.h>
#include <unistd.h>

static int ends[2];
static char bytes[4096];

static void* writer(void* unused) {
  const struct iovec parts[2] = {{bytes, 1000}, {bytes, 24}};
  assert(write(ends[1], bytes, 1024) == 1024);
  assert(writev(ends[1], parts, 2) == 1024);
  return unused;
}

static void fill(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, writer, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

int main(void) {
  assert(pipe(ends) == 0 && fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
  fill();
  assert(read(ends[0], bytes, 4096) == 4096);
  fill();
}
