// The optimiser may not turn the loop into one load, nor drop it: each turn reads.
// RUN: %ir -O2 %s | FileCheck %s
int flag;
// CHECK-LABEL: define {{.*}}@wait(
// CHECK: [[LOOP:[0-9]+]]:
// CHECK: call void @inspect_read4(ptr {{.*}}@flag
// CHECK: load i32, ptr @flag
// CHECK: @inspect_loop_budget
// CHECK: br i1 %{{[0-9]+}}, label %[[LOOP]]
void wait(void) {
  while (!flag) {
  }
}
