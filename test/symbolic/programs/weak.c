// expect: cflags=-DFUNCTION verdict=unsupported text="the weak symbol function, which may be missing (link a definition)"
// expect: cflags=-DVARIABLE verdict=unsupported text="the weak symbol variable, which may be missing (link a definition)"
// expect: verdict=verified
// Whether something weak is there at all, the code alone does not say.
#include <assert.h>
extern int function(void) __attribute__((weak));
extern int variable __attribute__((weak));
int defined __attribute__((weak)) = 3;
int main(void) {
#if defined(FUNCTION)
  assert(function);
#elif defined(VARIABLE)
  assert(&variable);
#else
  assert(&defined && defined == 3);
#endif
  return 0;
}
