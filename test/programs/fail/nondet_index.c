// expect: case=listed options="--nondet=3,99999" verdict=bug kind=assertion
// expect: case=fits options="--nondet=2,99999,100000" verdict=inconclusive reason="an input has more values" assumption="inspect_nondet: 1 of the 3 values of --nondet do not fit"
// expect: case=too_many verdict=unsupported reason="a choice among more than 65536 values"
// A bound of more than 65536 is none that can be explored whole: of a list, what is below the bound.
#include <inspect/inspect.h>

int main(void) {
  unsigned value = inspect_nondet(100000);
  inspect_assert(value < 100000 && value != 3); /* ERROR */
  return 0;
}
