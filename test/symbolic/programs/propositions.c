// What inspect_proposition() says, looked for by --reach: part of the operation before it, on the paths that come by it.
// expect: options=--reach=one verdict=bug text="BUG: proposition: one"
// expect: options=--reach=one,two verdict=verified
// expect: options=--reach=never verdict=verified
// expect: options=--reach=two,large verdict=bug
// expect: options=--reach=one,large verdict=verified
// expect: options="--reach=never --unwind=1" verdict=inconclusive text="a loop goes on"
// expect: cflags=-DCHANGING options=--reach=two verdict=unsupported text="a proposition whose name is no constant string"
// expect: cflags=-DCHANGING verdict=verified
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdatomic.h>
_Atomic int x;
char name[] = "one";
static void *other(void *unused) {
  x = 0;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  const int n = __VERIFIER_nondet_int();
  x = 1;
  inspect_proposition("one", 1);
  x = 2;
#ifdef CHANGING
  inspect_proposition(name, 1);
#endif
  inspect_proposition("one", 0);
  inspect_proposition("two", x == 2);
  inspect_proposition(n > 100 ? "large" : "small", 1);
  for (int i = 0; i < 4; i++) x = i;
  return 0;
}
