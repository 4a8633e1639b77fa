// expect: verdict=bug kind=assertion
// abort() runs the program's handler, and is the bug all the same.
#include <signal.h>
#include <stdlib.h>

static void handler(int number) { (void)number; }

int main(void) {
  signal(SIGABRT, handler);
  abort(); /* ERROR */
}
