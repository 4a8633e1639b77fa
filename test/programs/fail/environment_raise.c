// expect: verdict=bug kind=crash
// A signal that nobody handles ends the program: a crash.
#include <signal.h>

int main(void) {
  raise(SIGTERM); /* ERROR */
  return 0;
}
