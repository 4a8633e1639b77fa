// What the source promises about effects does not hold for instrumented code: calls stay.
// RUN: %ir -O2 %s | FileCheck %s
extern int state;
__attribute__((pure)) int look(void);
__attribute__((const, noinline)) int constant_to_the_eye(int n) { return state + n; }
// CHECK-LABEL: define {{.*}}@twice(
// CHECK: call {{.*}}@look(
// CHECK: call {{.*}}@look(
// CHECK: call {{.*}}@constant_to_the_eye(
// CHECK: call {{.*}}@constant_to_the_eye(
int twice(void) { return look() + look() + constant_to_the_eye(1) + constant_to_the_eye(1); }
// CHECK-NOT: memory(none)
