// Loops whose length is not a small constant count their turns, and tell what they carry from one to the next.
// RUN: %ir -O1 %s | FileCheck %s
volatile int sink;

// CHECK-LABEL: define {{.*}}@unknown(
// CHECK: load i64, ptr @inspect_loop_budget
// CHECK: store i64 {{.*}} ptr @inspect_loop_budget
// The value it carries, and which entry into the loop this is.
// CHECK: call void @inspect_loop_value(i64 %{{[0-9]+}})
// CHECK-NEXT: call void @inspect_loop(i64 %{{[0-9]+}}, ptr
unsigned unknown(unsigned n) {
  while (n != 1) sink = n = n % 2 ? 3 * n + 1 : n / 2;
  return n;
}

// Bytes of stack objects are carried too; of too many, nothing is known.
// CHECK-LABEL: define {{.*}}@stack_object(
// CHECK: call void @inspect_loop_memory(ptr {{.*}}, i64 40)
// CHECK: call void @inspect_loop(i64 %{{[0-9]+}}, ptr
int stack_object(unsigned n) {
  int table[10] = {0};
  while (table[n % 10]++ < 1000000) n = sink;
  return table[0];
}
// CHECK-LABEL: define {{.*}}@large_stack_object(
// CHECK-NOT: call void @inspect_loop_memory
// CHECK: call void @inspect_loop(i64 0, ptr
int large_stack_object(unsigned n) {
  int table[1000] = {0};
  while (table[n % 1000]++ < 1000000) n = sink;
  return table[0];
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
// CHECK: call void @inspect_loop(i64 0, ptr
void irreducible(int n) {
  if (n & 1) goto middle;
again:
  sink = 1;
middle:
  sink = 2;
  if (sink != n) goto again;
}
