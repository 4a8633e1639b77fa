// expect: case=into_O0 verdict=bug kind=memory-error cflags="-DINTO -O0" algorithms=optimal
// expect: case=into_O1 verdict=bug kind=memory-error cflags="-DINTO -O1" algorithms=optimal
// expect: case=into_O2 verdict=bug kind=memory-error cflags="-DINTO -O2" algorithms=optimal
// expect: case=over_O0 verdict=bug kind=memory-error cflags="-DOVER -O0" algorithms=optimal
// expect: case=over_O1 verdict=bug kind=memory-error cflags="-DOVER -O1" algorithms=optimal
// expect: case=over_O2 verdict=bug kind=memory-error cflags="-DOVER -O2" algorithms=optimal
// expect: case=out_O0 verdict=bug kind=memory-error cflags="-DOUT -O0" algorithms=optimal
// expect: case=out_O1 verdict=bug kind=memory-error cflags="-DOUT -O1" algorithms=optimal
// expect: case=out_O2 verdict=bug kind=memory-error cflags="-DOUT -O2" algorithms=optimal
// expect: case=case_O0 verdict=bug kind=memory-error cflags="-DCASE -O0" algorithms=optimal
// expect: case=case_O1 verdict=bug kind=memory-error cflags="-DCASE -O1" algorithms=optimal
// expect: case=case_O2 verdict=bug kind=memory-error cflags="-DCASE -O2" algorithms=optimal
// expect: case=next_O0 verdict=bug kind=memory-error cflags="-DNEXT -O0" algorithms=optimal
// expect: case=next_O1 verdict=bug kind=memory-error cflags="-DNEXT -O1" algorithms=optimal
// expect: case=next_O2 verdict=bug kind=memory-error cflags="-DNEXT -O2" algorithms=optimal
// expect: case=turn_O0 verdict=bug kind=memory-error cflags="-DTURN -O0" algorithms=optimal
// expect: case=turn_O1 verdict=bug kind=memory-error cflags="-DTURN -O1" algorithms=optimal
// expect: case=turn_O2 verdict=bug kind=memory-error cflags="-DTURN -O2" algorithms=optimal
// expect: case=back_O0 verdict=bug kind=memory-error cflags="-DBACK -O0" algorithms=optimal
// expect: case=back_O1 verdict=bug kind=memory-error cflags="-DBACK -O1" algorithms=optimal
// expect: case=back_O2 verdict=bug kind=memory-error cflags="-DBACK -O2" algorithms=optimal
// expect: case=computed_O0 verdict=bug kind=memory-error cflags="-DCOMPUTED -O0" algorithms=optimal
// expect: case=computed_O1 verdict=bug kind=memory-error cflags="-DCOMPUTED -O1" algorithms=optimal
// expect: case=computed_O2 verdict=bug kind=memory-error cflags="-DCOMPUTED -O2" algorithms=optimal
// expect: case=return_O0 verdict=bug kind=memory-error cflags="-DRETURN -O0" algorithms=optimal
// expect: case=return_O1 verdict=bug kind=memory-error cflags="-DRETURN -O1" algorithms=optimal
// expect: case=return_O2 verdict=bug kind=memory-error cflags="-DRETURN -O2" algorithms=optimal
// expect: case=longjmp_O0 verdict=bug kind=memory-error cflags="-DLONGJMP -O0" algorithms=optimal
// expect: case=longjmp_O1 verdict=bug kind=memory-error cflags="-DLONGJMP -O1" algorithms=optimal
// expect: case=longjmp_O2 verdict=bug kind=memory-error cflags="-DLONGJMP -O2" algorithms=optimal
// expect: case=thread_O0 verdict=bug kind=memory-error cflags="-DTHREAD -O0" algorithms=optimal
// expect: case=thread_O1 verdict=bug kind=memory-error cflags="-DTHREAD -O1" algorithms=optimal
// expect: case=thread_O2 verdict=bug kind=memory-error cflags="-DTHREAD -O2" algorithms=optimal
// expect: case=head_O0 verdict=bug kind=memory-error cflags="-DHEAD -O0" algorithms=optimal
// expect: case=head_O1 verdict=bug kind=memory-error cflags="-DHEAD -O1" algorithms=optimal
// expect: case=head_O2 verdict=bug kind=memory-error cflags="-DHEAD -O2" algorithms=optimal
// expect: case=inner_O0 verdict=bug kind=memory-error cflags="-DINNER -O0" algorithms=optimal
// expect: case=inner_O1 verdict=bug kind=memory-error cflags="-DINNER -O1" algorithms=optimal
// expect: case=inner_O2 verdict=bug kind=memory-error cflags="-DINNER -O2" algorithms=optimal
// expect: case=unknown verdict=inconclusive assumption="an object that may be used after its block" cflags="-DUNKNOWN" algorithms=optimal
// A variable ends with its block though a jump passes its declaration.
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

static volatile int one = 1;
static int* kept;

__attribute__((noinline)) static int look(const int* p) { return *p; /* ERROR */ }
__attribute__((noinline)) static void keep(int* p) { kept = p; }

#if defined(INTO)
static void run(void) {
  if (one) goto in;
  {
    int x;
  in:
    x = 1;
    keep(&x);
    look(kept);
  }
  look(kept);
}
#elif defined(OVER)
static void run(void) {
  {
    if (one > 1) goto out;
    int x = 1;
    keep(&x);
  out:
    look(kept);
  }
  look(kept);
}
#elif defined(OUT)
static void run(void) {
  {
    if (one > 1) goto in;
  in:;
    int x = 1;
    keep(&x);
    if (one) goto out;
    look(kept);
  }
out:
  look(kept);
}
#elif defined(CASE)
static void run(void) {
  switch (one) {
    case 0:;
      int x;
    case 1:
      x = 1;
      keep(&x);
      look(kept);
  }
  look(kept);
}
#elif defined(NEXT)
static void run(void) {
  for (int i = 0; i < 2; ++i) {
    if (i == 2) goto in;
    if (i == 1) look(kept);
  in:;
    int x = 1;
    keep(&x);
    if (one) continue;
    look(kept);
  }
}
#elif defined(TURN)
static void run(void) {
  while (1) {
    if (kept) look(kept);
  in:;
    int x = 1;
    keep(&x);
    if (one > 2) goto in;
  }
}
#elif defined(BACK)
static void run(void) {
again: {
  if (kept) look(kept);
  if (one > 1) goto in;
in:;
  int x = 1;
  keep(&x);
  goto again;
}
}
#elif defined(COMPUTED)
static void run(void) {
  static void* const targets[] = {&&in, &&out, &&in};
  const int* next = (const int[]){0, 1};
  {
    int x = 1;
    keep(&x);
    goto* targets[*next++];
  in:
    look(kept);
    goto* targets[*next++];
  }
out:
  look(kept);
}
#elif defined(RETURN)
static void* jumps(int n) {
  if (n) goto in;
  {
    int x;
  in:
    x = 1;
    keep(&x);
    if (n) return kept;
  }
  return NULL;
}
static void run(void) { look(jumps(one)); }
#elif defined(LONGJMP)
static jmp_buf place;
static void run(void) {
  if (setjmp(place)) look(kept);
  if (one) goto in;
  {
    int x;
  in:
    x = 1;
    keep(&x);
    longjmp(place, 1);
  }
}
#elif defined(THREAD)
static void* reader(void* argument) {
  look(argument);
  return NULL;
}
static void run(void) {
  pthread_t thread;
  if (one) goto in;
  {
    int x;
  in:
    x = 1;
    pthread_create(&thread, NULL, reader, &x);
  } /* ERROR */
  pthread_join(thread, NULL);
}
#elif defined(HEAD)
static void run(void) {
  switch (one) {
    int x;
    case 1:
      x = 1;
      keep(&x);
      look(kept);
  }
  look(kept);
}
#elif defined(INNER)
static void run(void) {
  for (int i = 0; i < 2; ++i)
    switch (i) {
      int tmp[2];
      case 0:
        keep(tmp);
        look(kept);
        continue;
      case 1: look(kept);
    }
}
#elif defined(UNKNOWN)
// Which of the two blocks is it?
static void run(void) {
  switch (one) {
    case 1:
      switch (one) {
        int x;
        case 1:
          x = 1;
          keep(&x);
          look(kept);
      }
  }
}
#endif

int main(void) { run(); }
