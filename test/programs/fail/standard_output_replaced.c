// expect: case=closed cflags="'-DCHANGE=close(1)' '-DFINE=write(1, \"x\", 1) == 1'" verdict=bug kind=assertion
// expect: case=stream cflags="'-DCHANGE=fclose(stdout)' '-DFINE=puts(\"x\") >= 0'" verdict=bug kind=assertion
// expect: case=replaced cflags="'-DCHANGE=dup2(open(\"/dev/full\", O_WRONLY), 1)' '-DFINE=write(1, \"x\", 1) == 1'" verdict=bug kind=assertion
// expect: case=printed cflags="'-DCHANGE=puts(\"x\")' '-DFINE=puts(\"y\") >= 0'" verdict=verified executions(optimal)=1
// Printing is no step until somebody closes or replaces standard output meanwhile.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void* change(void* unused) {
  (void)(CHANGE);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, change, NULL);
  assert(FINE);
  pthread_join(thread, NULL);
  return 0;
}
