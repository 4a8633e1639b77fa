// The page that a pipe has holds 3,000 bytes, of which 2,000 were read: there is no room behind them for 2,000 more.
//
// expect: verdict=bug kind=deadlock naive
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];
static char bytes[3000];

static void* writer(void* unused) {
  assert(write(ends[1], bytes, 2000) == 2000); /* ERROR */
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(pipe(ends) == 0 && fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
  assert(write(ends[1], bytes, 3000) == 3000);
  assert(read(ends[0], bytes, 2000) == 2000);
  pthread_create(&thread, NULL, writer, NULL);
  pthread_join(thread, NULL); /* ERROR */
}
