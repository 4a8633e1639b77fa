// What is not supported of unions, atomic pointers and weak symbols names its line and a way round.
// expect: cflags=-DUNION verdict=unsupported text="not_whole.c:16: an access to something else than one whole scalar (of a union, or by a cast: use a variable for each kind of value)"
// expect: cflags=-DPOINTER verdict=unsupported text="not_whole.c:19: a conversion: ptrtoint, of an address (or an atomic exchange of pointers: use an index, or a mutex)"
// expect: cflags=-DWEAK verdict=unsupported text="not_whole.c:21: the weak symbol maybe, which may be missing (link a definition)"
#include <stdatomic.h>
union kinds {
  int number;
  short half;
} kinds;
static int first;
static _Atomic(int *) pointer = &first;
extern int maybe __attribute__((weak));
int main(void) {
#if defined(UNION)
  kinds.number = 65537;
  return kinds.half == 1 ? 0 : 1;
#elif defined(POINTER)
  int *expected = &first;
  return atomic_compare_exchange_strong(&pointer, &expected, 0) ? 0 : 1;
#elif defined(WEAK)
  return &maybe ? maybe : 0;
#endif
}
