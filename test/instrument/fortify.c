// Library calls that fortified headers make are known too, with the call's place as the outermost.
// RUN: %cc -w -O2 -D_FORTIFY_SOURCE=2 %s -o %t && env INSPECT_STUB_LOG=1 %t 2>&1 | FileCheck %s
#include <stdio.h>
#include <string.h>
#include <unistd.h>
char from[32] = "seven77", to[32];
volatile int n = 4;

int main(void) {
  strcpy(to, from);               // CHECK: read_string 7 at {{.*}} @[[@LINE]] main
                                  // CHECK: write_range 8 at {{.*}} @{{[0-9]+}} main
  memcpy(to, from, n);            // CHECK: read_range 4 at {{.*}} @[[@LINE]] main
                                  // CHECK: write_range 4 at
  snprintf(to, n, "%s", from);    // CHECK: read_string 7 at
                                  // CHECK: write_range 4 at
  write(1, from, n);              // CHECK: read_range 4 at
}
// CHECK-NOT: external
