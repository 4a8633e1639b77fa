// expect: case=block verdict=verified cflags=-DBLOCK
// expect: case=loop verdict=verified cflags=-DLOOP
// expect: case=vla verdict=verified cflags=-DVLA
// expect: case=alloca verdict=verified cflags=-DALLOCA
// expect: case=byval verdict=verified cflags=-DBYVAL
// expect: case=longjmp verdict=verified cflags=-DLONGJMP
// expect: case=builtin_longjmp verdict=verified cflags=-DBUILTIN_LONGJMP algorithms=source,optimal
// expect: case=exit verdict=verified cflags=-DEXIT
// expect: case=block_O0 verdict=verified cflags="-DBLOCK -O0" algorithms=optimal
// expect: case=loop_O0 verdict=verified cflags="-DLOOP -O0" algorithms=optimal
// expect: case=vla_O0 verdict=verified cflags="-DVLA -O0" algorithms=optimal
// expect: case=alloca_O0 verdict=verified cflags="-DALLOCA -O0" algorithms=optimal
// expect: case=byval_O0 verdict=verified cflags="-DBYVAL -O0" algorithms=optimal
// expect: case=longjmp_O0 verdict=verified cflags="-DLONGJMP -O0" algorithms=optimal
// expect: case=builtin_longjmp_O0 verdict=verified cflags="-DBUILTIN_LONGJMP -O0" algorithms=optimal
// expect: case=exit_O0 verdict=verified cflags="-DEXIT -O0" algorithms=optimal
// expect: case=block_O2 verdict=verified cflags="-DBLOCK -O2" algorithms=optimal
// expect: case=loop_O2 verdict=verified cflags="-DLOOP -O2" algorithms=optimal
// expect: case=vla_O2 verdict=verified cflags="-DVLA -O2" algorithms=optimal
// expect: case=alloca_O2 verdict=verified cflags="-DALLOCA -O2" algorithms=optimal
// expect: case=byval_O2 verdict=verified cflags="-DBYVAL -O2" algorithms=optimal
// expect: case=longjmp_O2 verdict=verified cflags="-DLONGJMP -O2" algorithms=optimal
// expect: case=builtin_longjmp_O2 verdict=verified cflags="-DBUILTIN_LONGJMP -O2" algorithms=optimal
// expect: case=exit_O2 verdict=verified cflags="-DEXIT -O2" algorithms=optimal
// The reader is waited for before the object ends.
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

static pthread_t thread;

static void* reader(void* argument) { return *(int*)argument == 12345 ? argument : NULL; }

static void lend(int* object) {
  pthread_create(&thread, NULL, reader, object);
  pthread_join(thread, NULL);
}

#if defined(BLOCK)
static void run(int n) {
  {
    int local = n;
    lend(&local);
  }
}
#elif defined(LOOP)
static void run(int n) {
  for (int i = 0; i < 2; ++i) {
    int local = n;
    if (i == 0) lend(&local);
  }
}
#elif defined(VLA)
static void run(int n) {
  int local[n];
  local[0] = n;
  lend(local);
}
#elif defined(ALLOCA)
static void run(int n) {
  int* local = __builtin_alloca(n * sizeof(int));
  *local = n;
  lend(local);
}
#elif defined(BYVAL)
struct large {
  int values[30];
};
__attribute__((noinline)) static void take(struct large local) { lend(local.values); }
static void run(int n) {
  struct large given = {{n}};
  take(given);
}
#elif defined(LONGJMP)
static jmp_buf back;
__attribute__((noinline)) static void leave(int n) {
  int local = n;
  lend(&local);
  longjmp(back, 1);
}
static void run(int n) {
  if (!setjmp(back)) leave(n);
}
#elif defined(BUILTIN_LONGJMP)
static void* back[5];
__attribute__((noinline)) static void leave(int n) {
  int local = n;
  lend(&local);
  __builtin_longjmp(back, 1);
}
static void run(int n) {
  if (!__builtin_setjmp(back)) leave(n);
}
#elif defined(EXIT)
static void* ends_early(void* unused) {
  int local = 1;
  lend(&local);
  pthread_exit(unused);
}
static void run(int n) {
  pthread_t outer;
  (void)n;
  pthread_create(&outer, NULL, ends_early, NULL);
  pthread_join(outer, NULL);
}
#endif

int main(int argc, char** argv) {
  (void)argv;
  run(argc + 3);
  return 0;
}
