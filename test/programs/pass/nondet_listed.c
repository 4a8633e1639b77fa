// expect: case=bytes options="--nondet=0..255" cflags="-DTYPE=uchar" verdict=verified executions(optimal)=256
// expect: case=signed_bytes options="--nondet=-128..127,400" cflags="-DTYPE=char" verdict=verified executions(optimal)=256 assumption="nondet_char: 1 of the 257 values of --nondet do not fit its type"
// expect: case=truth options="--nondet=7" cflags="-DTYPE=bool" verdict=verified executions(optimal)=2
// Where the list holds every value that the type has, nothing is left out; a value outside of the type is none of its own.
// All values of bool are explored whatever is listed.
#include <assert.h>
#include <inspect/inspect.h>

#define GLUE(a, b) a##b
#define INPUT(type) GLUE(__VERIFIER_nondet_, type)()

int main(void) {
  int value = INPUT(TYPE);
  assert(value != 400 && value != (unsigned char)400 + 256);
  return 0;
}
