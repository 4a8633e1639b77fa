// expect: verdict=unsupported reason=alarm
// A signal at a moment that nobody chooses.
#include <unistd.h>

int main(void) {
  alarm(1);
  return 0;
}
