// expect: case=block verdict=bug kind=memory-error cflags=-DBLOCK
// expect: case=loop verdict=bug kind=memory-error cflags=-DLOOP
// expect: case=vla verdict=bug kind=memory-error cflags=-DVLA
// expect: case=alloca verdict=bug kind=memory-error cflags=-DALLOCA
// expect: case=byval verdict=bug kind=memory-error cflags=-DBYVAL
// expect: case=longjmp verdict=bug kind=memory-error cflags=-DLONGJMP
// expect: case=builtin_longjmp verdict=bug kind=memory-error cflags=-DBUILTIN_LONGJMP algorithms=source,optimal
// expect: case=exit verdict=bug kind=memory-error cflags=-DEXIT
// expect: case=block_O0 verdict=bug kind=memory-error cflags="-DBLOCK -O0" algorithms=optimal
// expect: case=loop_O0 verdict=bug kind=memory-error cflags="-DLOOP -O0" algorithms=optimal
// expect: case=vla_O0 verdict=bug kind=memory-error cflags="-DVLA -O0" algorithms=optimal
// expect: case=alloca_O0 verdict=bug kind=memory-error cflags="-DALLOCA -O0" algorithms=optimal
// expect: case=byval_O0 verdict=bug kind=memory-error cflags="-DBYVAL -O0" algorithms=optimal
// expect: case=longjmp_O0 verdict=bug kind=memory-error cflags="-DLONGJMP -O0" algorithms=optimal
// expect: case=builtin_longjmp_O0 verdict=bug kind=memory-error cflags="-DBUILTIN_LONGJMP -O0" algorithms=optimal
// expect: case=exit_O0 verdict=bug kind=memory-error cflags="-DEXIT -O0" algorithms=optimal
// expect: case=block_O2 verdict=bug kind=memory-error cflags="-DBLOCK -O2" algorithms=optimal
// expect: case=loop_O2 verdict=bug kind=memory-error cflags="-DLOOP -O2" algorithms=optimal
// expect: case=vla_O2 verdict=bug kind=memory-error cflags="-DVLA -O2" algorithms=optimal
// expect: case=alloca_O2 verdict=bug kind=memory-error cflags="-DALLOCA -O2" algorithms=optimal
// expect: case=byval_O2 verdict=bug kind=memory-error cflags="-DBYVAL -O2" algorithms=optimal
// expect: case=longjmp_O2 verdict=bug kind=memory-error cflags="-DLONGJMP -O2" algorithms=optimal
// expect: case=builtin_longjmp_O2 verdict=bug kind=memory-error cflags="-DBUILTIN_LONGJMP -O2" algorithms=optimal
// expect: case=exit_O2 verdict=bug kind=memory-error cflags="-DEXIT -O2" algorithms=optimal
// However an object on a stack ends, a thread that still reads it reads freed memory.
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

static pthread_t thread;

static void* reader(void* argument) { return *(int*)argument == 12345 ? argument : NULL; /* ERROR */ }

static void lend(int* object) { pthread_create(&thread, NULL, reader, object); }

#if defined(BLOCK)
static void run(int n) {
  {
    int local = n;
    lend(&local);
  } /* ERROR */
}
#elif defined(LOOP)
static void run(int n) {
  for (int i = 0; i < 2; ++i) {
    int local = n; /* ERROR */
    if (i == 0) lend(&local);
  } /* ERROR */
}
#elif defined(VLA)
static void run(int n) {
  int local[n];
  local[0] = n;
  lend(local);
} /* ERROR */
#elif defined(ALLOCA)
static void run(int n) {
  int* local = __builtin_alloca(n * sizeof(int));
  *local = n;
  lend(local);
} /* ERROR */
#elif defined(BYVAL)
struct large {
  int values[30];
};
__attribute__((noinline)) static void take(struct large local) { lend(local.values); } /* ERROR */
static void run(int n) {
  struct large given = {{n}};
  take(given); /* ERROR */
}
#elif defined(LONGJMP)
static jmp_buf back;
__attribute__((noinline)) static void leave(int n) {
  int local = n;
  lend(&local);
  longjmp(back, 1);
}
static void run(int n) {
  if (!setjmp(back)) leave(n); /* ERROR */
}
#elif defined(BUILTIN_LONGJMP)
static void* back[5];
__attribute__((noinline)) static void leave(int n) {
  int local = n;
  lend(&local);
  __builtin_longjmp(back, 1);
}
static void run(int n) {
  if (!__builtin_setjmp(back)) leave(n); /* ERROR */
}
#elif defined(EXIT)
static void* ends_early(void* unused) {
  int local = 1;
  lend(&local);
  pthread_exit(unused); /* ERROR */
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
  run(argc + 3); /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
