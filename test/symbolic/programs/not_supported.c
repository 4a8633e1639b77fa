// expect: cflags=-DFLOATS verdict=unsupported text="UNSUPPORTED: not_supported.c:17"
// expect: cflags=-DPRINTS verdict=unsupported text="UNSUPPORTED: not_supported.c:19: output of something else than numbers and constant strings"
// expect: cflags=-DPUNS verdict=unsupported text="UNSUPPORTED: not_supported.c:21: an access to something else than one whole scalar"
// expect: cflags=-DASSEMBLY verdict=unsupported text="UNSUPPORTED: not_supported.c:23: inline assembly"
// expect: cflags=-DFORGED verdict=bug text="an access outside of every object at not_supported.c:25"
// expect: cflags=-DEXTERN verdict=unsupported text="UNSUPPORTED: not_supported.c:27"
// expect: cflags=-DUNREACHED verdict=verified
// expect: cflags=-DBEFORE verdict=unsupported text="UNSUPPORTED: code that runs before or after main"
#include <inspect/inspect.h>
#include <stdio.h>
int word = 1;
extern int elsewhere;
static double half(double x) { return x / 2; }
int main(void) {
  int x = __VERIFIER_nondet_int();
#if defined(FLOATS)
  return half(x) > 5 ? 0 : 0;
#elif defined(PRINTS)
  printf(x ? "one" : "none");
#elif defined(PUNS)
  *(char *)&word = 0;
#elif defined(ASSEMBLY)
  __asm__ volatile("" ::: "memory");
#elif defined(FORGED)
  *(int *)(long)x = 1;
#elif defined(EXTERN)
  elsewhere = x;
#else
  __VERIFIER_assume(x == 1);
  if (x == 2) printf("%f\n", half(x));
#endif
  return 0;
}
#ifdef BEFORE
__attribute__((constructor)) static void before(void) { word = 2; }
#endif
