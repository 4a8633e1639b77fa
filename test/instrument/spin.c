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

// A loop that does nothing but wait says for what: while the value is less than 3 (INSPECT_WAITS_SLT).
// CHECK: define {{.*}}@wait_for_value(
// CHECK: call i64 @inspect_atomic_wait(ptr {{.*}}@ready, i32 4, i32 6, ptr {{.*}}, i32 7, i64 3)
// CHECK: ret void
void wait_for_value(void) {
  while (ready < 3) __builtin_ia32_pause();
}

// One that counts its turns does something else.
// CHECK: define {{.*}}@count_turns(
// CHECK-NOT: @inspect_atomic_wait(
// CHECK: ret i32
int count_turns(void) {
  int turns = 0;
  while (!ready) ++turns;
  return turns;
}
