// The optimiser may not turn the loop into one load, nor drop it: each turn reads. Its head comes before the first turn, and is the
// same for every turn.
// RUN: %ir -O2 %s | FileCheck %s
#include <stdatomic.h>

int flag;
// CHECK: define {{.*}}@wait(
// CHECK: br label %[[HEAD:[0-9a-z.]+]]
// CHECK: [[HEAD]]:
// CHECK: @inspect_loop_budget
// CHECK: call void @inspect_read4(ptr {{.*}}@flag
// CHECK: load i32, ptr @flag
// CHECK: br i1 %{{[0-9a-z.]+}}, label %[[HEAD]]
void wait(void) {
  while (!flag) {
  }
}

atomic_int ready;
void use(void);
// One load, which stands behind the head.
// CHECK: define {{.*}}@wait_atomically(
// CHECK: @inspect_loop_budget
// CHECK: call i64 @inspect_atomic_load(
// CHECK-NOT: call i64 @inspect_atomic_load(
// CHECK: ret void
void wait_atomically(void) {
  while (!ready) use();
}
