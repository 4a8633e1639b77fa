// expect: case=block verdict=bug kind=memory-error cflags=-DBLOCK
// expect: case=block_O0 verdict=bug kind=memory-error cflags="-DBLOCK -O0"
// expect: case=block_O2 verdict=bug kind=memory-error cflags="-DBLOCK -O2"
// expect: case=returned verdict=bug kind=memory-error cflags="-DRETURNED -Wno-return-stack-address"
// expect: case=returned_O0 verdict=bug kind=memory-error cflags="-DRETURNED -O0 -Wno-return-stack-address"
// expect: case=returned_O2 verdict=bug kind=memory-error cflags="-DRETURNED -O2 -Wno-return-stack-address"
// expect: case=before verdict=bug kind=memory-error cflags=-DBEFORE
// What has ended is dead for its own thread too, and for threads that begin later.
#include <pthread.h>
#include <stddef.h>

static int* kept;

static void* reader(void* unused) {
#ifdef BEFORE
  return *kept == 12345 ? unused : NULL; /* ERROR */
#else
  return unused;
#endif
}

#ifdef RETURNED
__attribute__((noinline)) static int* returned(int n) {
  int local = n;
  return &local;
}
#endif

int main(int argc, char** argv) {
  (void)argv;
  pthread_t thread;
  int sum = 0;
#if defined(BLOCK)
  {
    int local = argc;
    kept = &local;
  }
  sum = *kept; /* ERROR */
#elif defined(RETURNED)
  kept = returned(argc);
  sum = *kept; /* ERROR */
#else
  {
    int local = argc;
    kept = &local;
  }
#endif
  pthread_create(&thread, NULL, reader, NULL);
  pthread_join(thread, NULL);
  return sum == 12345;
}
