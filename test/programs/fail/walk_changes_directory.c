// expect: verdict=unsupported reason="nftw with FTW_CHDIR"
// The walk goes into each directory while it calls.
#define _GNU_SOURCE
#include <ftw.h>
#include <pthread.h>

static int visit(const char* path, const struct stat* status, int type, struct FTW* place) {
  (void)path, (void)status, (void)type, (void)place;
  return 1;
}

static void* walker(void* unused) {
  nftw("/dev/null", visit, 2, FTW_CHDIR);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, walker, NULL);
  pthread_join(thread, NULL);
}
