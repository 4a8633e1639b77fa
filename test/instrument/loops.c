// Loops whose length is not a small constant count their turns.
// RUN: %ir -O1 %s | FileCheck %s
volatile int sink;

// CHECK-LABEL: define {{.*}}@unknown(
// CHECK: load i64, ptr @inspect_loop_budget
// CHECK: store i64 {{.*}} ptr @inspect_loop_budget
// CHECK: call void @inspect_loop(
unsigned unknown(unsigned n) {
  while (n != 1) sink = n = n % 2 ? 3 * n + 1 : n / 2;
  return n;
}

// CHECK-LABEL: define {{.*}}@thousand(
// CHECK-NOT: inspect_loop
// CHECK: ret
void thousand(void) {
  for (int i = 0; i < 1000; ++i) sink = i;
}

// CHECK-LABEL: define {{.*}}@million(
// CHECK: inspect_loop
void million(void) {
  for (int i = 0; i < 1000000; ++i) sink = i;
}

// A loop with two entries is no natural loop, but turns as well.
// CHECK-LABEL: define {{.*}}@irreducible(
// CHECK: inspect_loop
void irreducible(int n) {
  if (n & 1) goto middle;
again:
  sink = 1;
middle:
  sink = 2;
  if (sink != n) goto again;
}
