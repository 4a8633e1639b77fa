// expect: verdict=verified
// Each turn of the loop draws another number: it ends by itself, and is no livelock.
#include <stdlib.h>

int main(void) {
  srand(1);
  while (rand() % 8) {
  }
  return 0;
}
