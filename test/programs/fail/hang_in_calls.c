// expect: verdict=inconclusive reason="hang_in_calls.c:8" algorithms=source tier=slow
// A thread that computes without end, most of the time within the library and the race check: the place is the program's.
#include <string.h>

static char block[1 << 16];

static void fill_for_ever(void) {
  for (;;) memset(block, 1, sizeof block);
}

int main(void) {
  fill_for_ever();
  return 0;
}
